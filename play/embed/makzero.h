/* C interface of MakZero: rules, notation, network inputs, search with small networks, game documents.
 *
 *   makzero_game* game = makzero_game_new("makruk");
 *   makzero_position* position = makzero_position_new(game, NULL);
 *   makzero_network* network = makzero_network_open(game, "net/small_network.bin");
 *   makzero_search* search = makzero_search_new(network, 0);
 *   makzero_limits limits = {.size = sizeof limits, .nodes = 10000};
 *   int move = makzero_search_run(search, position, &limits, NULL, NULL);
 *   if (move < 0 || makzero_position_play(position, (makzero_move)move) < 0) puts(makzero_last_error());
 *
 * `makzero export makruk --to small --out net` writes such a network.
 *
 * Errors: a function that returns a pointer returns NULL, any other a negative makzero_status, and
 * makzero_last_error() says what is wrong, where, and how to repair it. NULL is an error unless a comment
 * allows it. After an error the objects are as they were.
 *
 * Texts: UTF-8, with a 0 at the end. A function with `char* text, size_t size` writes at most `size` bytes,
 * the 0 among them, and returns the bytes of the whole text without the 0: where that is `size` or more, the
 * text is cut off. `text` may be NULL where `size` is 0.
 *
 * Ownership: what _new, _copy, _open and _read return is the caller's, who frees it once, with the function
 * of its type, which takes NULL too. Objects may be freed in any order. Nothing that is passed in is kept.
 *
 * Threads: games, encoders and networks never change, and any number of threads may use one at once. A
 * position, document or search is used by one thread at a time. An error text belongs to its thread.
 *
 * Stability: functions, enumerators and, at their ends, members of structs are added; nothing is changed or
 * removed without another soname. */
#ifndef MAKZERO_H
#define MAKZERO_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32) && defined(MAKZERO_BUILD)
#define MAKZERO_API __declspec(dllexport)
#elif defined(_WIN32)
#define MAKZERO_API __declspec(dllimport)
#elif defined(__GNUC__)
#define MAKZERO_API __attribute__((visibility("default")))
#else
#define MAKZERO_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define MAKZERO_INTERFACE 1      /* Grows with every addition. */
#define MAKZERO_MOST_MOVES 512   /* No position has more legal moves. */
#define MAKZERO_SQUARES 64       /* Of a plane. */
#define MAKZERO_POLICY_SIZE 4161 /* Numbers of a policy, see makzero_position_move_index(). */

typedef struct makzero_game makzero_game;         /* Rules of a ruleset. */
typedef struct makzero_position makzero_position; /* Position with the game that led to it. */
typedef struct makzero_encoder makzero_encoder;   /* Input planes of a tower. */
typedef struct makzero_network makzero_network;   /* Small network that plays one ruleset. */
typedef struct makzero_search makzero_search;     /* Search with its transposition table. */
typedef struct makzero_document makzero_document; /* Game with tags, comments and variations. */

/* 16 bits: destination (6), origin (7: a square, 64 = the hand, 65 = a pass), alternative (3), from the
 * lowest bit. Squares: a1 = 0, b1 = 1 ... h8 = 63. Alternatives tell moves of the same squares apart. */
typedef uint16_t makzero_move;

enum makzero_status {
  MAKZERO_OK = 0,
  MAKZERO_BAD_ARGUMENT = -1, /* NULL, a number out of range, objects that do not belong together. */
  MAKZERO_BAD_INPUT = -2,    /* A text, file or move that cannot be read or is not legal. */
  MAKZERO_NO_MEMORY = -3,
  MAKZERO_FAILED = -4
};

enum makzero_side { MAKZERO_WHITE = 0, MAKZERO_BLACK = 1 };
enum makzero_result { MAKZERO_ONGOING = 0, MAKZERO_WHITE_WINS = 1, MAKZERO_BLACK_WINS = 2, MAKZERO_DRAW = 3 };

MAKZERO_API int makzero_interface(void);          /* MAKZERO_INTERFACE of the library. */
MAKZERO_API const char* makzero_version(void);    /* "0.2.0". */
MAKZERO_API const char* makzero_last_error(void); /* Of this thread; "" before the first one. */

/* --- Rules. --- */

/* Named rulesets, games first; the name of number 0 and up, valid for ever. */
MAKZERO_API int makzero_ruleset_count(void);
MAKZERO_API const char* makzero_ruleset_name(int number);

/* All of them with titles, boards, pieces and options, as a list in JSON. */
MAKZERO_API int makzero_rulesets_json(char* text, size_t size);

/* Rules by name, with options: "makyek:custodian=line,no_progress=60". */
MAKZERO_API makzero_game* makzero_game_new(const char* ruleset);
MAKZERO_API void makzero_game_free(makzero_game* game);

/* Ruleset as makzero_game_new() reads it back, title, "Mak-yek", and a letter for each kind of piece,
 * "KMSNRP"; valid until the game is freed. */
MAKZERO_API const char* makzero_game_ruleset(const makzero_game* game);
MAKZERO_API const char* makzero_game_title(const makzero_game* game);
MAKZERO_API const char* makzero_game_kinds(const makzero_game* game);

/* Size of the board: 8, or 7. */
MAKZERO_API int makzero_game_files(const makzero_game* game);
MAKZERO_API int makzero_game_ranks(const makzero_game* game);

/* --- Positions. Repetitions and counts are those of the game that was played. --- */

/* `fen`: the game's own position text; NULL: the start. */
MAKZERO_API makzero_position* makzero_position_new(const makzero_game* game, const char* fen);
MAKZERO_API makzero_position* makzero_position_copy(const makzero_position* position);
MAKZERO_API void makzero_position_free(makzero_position* position);

MAKZERO_API int makzero_position_fen(const makzero_position* position, char* text, size_t size);

/* makzero_side; and 1 where a king of it is attacked, else 0. */
MAKZERO_API int makzero_position_side_to_move(const makzero_position* position);
MAKZERO_API int makzero_position_in_check(const makzero_position* position);

/* makzero_result, and why in a few words, "checkmate"; "" of a game that goes on. */
MAKZERO_API int makzero_position_outcome(const makzero_position* position);
MAKZERO_API int makzero_position_reason(const makzero_position* position, char* text, size_t size);

/* Writes at most `capacity` legal moves and returns their number. A game that is drawn by repetition, a
 * count, a limit or insufficient material has moves still, as players may overlook that; one that is over
 * otherwise has none. */
MAKZERO_API int makzero_position_legal_moves(const makzero_position* position, makzero_move* moves,
                                             size_t capacity);

/* Plays a legal move. */
MAKZERO_API int makzero_position_play(makzero_position* position, makzero_move move);

/* Plays a move in any notation, or declares: "count" or "stop", where a count is by declaration. */
MAKZERO_API int makzero_position_play_text(makzero_position* position, const char* text);

/* What may be declared now: "count", "stop" or both, with a blank between them. */
MAKZERO_API int makzero_position_declarations(const makzero_position* position, char* text, size_t size);

/* What was played and declared: its number, all of it as text, "e3e4 count d6d5", and the last of it taken
 * back. */
MAKZERO_API int makzero_position_ply(const makzero_position* position);
MAKZERO_API int makzero_position_moves(const makzero_position* position, char* text, size_t size);
MAKZERO_API int makzero_position_undo(makzero_position* position);

/* A legal move as text; `notation`: "coordinates" (as NULL: "b1d2", "e5d6m"), "letters" ("Nd2", "exd6=M"),
 * "figurines", "thai" or "playok". */
MAKZERO_API int makzero_position_move_text(const makzero_position* position, makzero_move move,
                                           const char* notation, char* text, size_t size);

/* The legal move that a text names in any of these: its makzero_move, at least 0. */
MAKZERO_API int makzero_position_read_move(const makzero_position* position, const char* text);

/* --- Inputs and policy of towers. --- */

/* Planes by name, a line each, as net.json of an exported network lists them; NULL: those of a new network.
 */
MAKZERO_API makzero_encoder* makzero_encoder_new(const makzero_game* game, const char* planes);
MAKZERO_API void makzero_encoder_free(makzero_encoder* encoder);

/* Planes, and the name of number 0 and up, valid until the encoder is freed. */
MAKZERO_API int makzero_encoder_plane_count(const makzero_encoder* encoder);
MAKZERO_API const char* makzero_encoder_plane_name(const makzero_encoder* encoder, int number);

/* Writes [planes, 8, 8] numbers, rank 1 and file a first, from the side to move: for Black the board is
 * rotated by 180 degrees. `capacity`: numbers that there is room for. */
MAKZERO_API int makzero_encoder_encode(const makzero_encoder* encoder, const makzero_position* position,
                                       float* planes, size_t capacity);

/* Number of a legal move in a policy, from the side to move: origin * 64 + destination, 4096 + destination of
 * a drop, 4160 of a pass. */
MAKZERO_API int makzero_position_move_index(const makzero_position* position, makzero_move move);

/* Writes MAKZERO_POLICY_SIZE bytes: 1 for the numbers of legal moves, else 0. Returns how many are 1. */
MAKZERO_API int makzero_position_legal_mask(const makzero_position* position, uint8_t* mask, size_t capacity);

/* --- Small networks and their search. --- */

/* From bytes in the format of small_network.bin (mcts/SMALL_NETWORK.md), or a file of them. A network of
 * another game is an error. */
MAKZERO_API makzero_network* makzero_network_read(const makzero_game* game, const void* bytes, size_t size);
MAKZERO_API makzero_network* makzero_network_open(const makzero_game* game, const char* path);
MAKZERO_API void makzero_network_free(makzero_network* network);

/* Score of a position without a search, for the side to move, in thousandths of a logit of the expected
 * result. */
MAKZERO_API int makzero_network_evaluate(const makzero_network* network, const makzero_position* position,
                                         int* score);

/* The first limit that is reached ends a search; 0: no such limit. One iteration is always finished. */
typedef struct makzero_limits {
  size_t size;               /* sizeof(makzero_limits). */
  int64_t nodes;             /* Positions: with an empty table the same search everywhere. */
  int64_t milliseconds;      /* Of wall time. */
  int depth;                 /* Plies of the last iteration; at most 64, as where it is 0. */
  int lines;                 /* Best moves to find with score and line; 0 is 1; MAKZERO_MOST_MOVES: all. */
  const makzero_move* moves; /* Legal moves that are considered; NULL: all. */
  size_t move_count;
} makzero_limits;

typedef struct makzero_search_info {
  size_t size; /* Set by the caller: sizeof(makzero_search_info). */
  int depth;   /* Plies of the last finished iteration. */
  int seldepth;
  int lines; /* Lines that are found, see makzero_search_line(). */
  int64_t nodes;
  int64_t milliseconds;
} makzero_search_info;

typedef struct makzero_line {
  size_t size;               /* Set by the caller: sizeof(makzero_line). */
  const makzero_move* moves; /* The move and what is expected to follow, until the next iteration or run. */
  size_t move_count;         /* At least 1. */
  double expected;           /* Result for the side to move: 1 a win, 0 a loss. */
  int centipawns;            /* The same on the scale of chess programs. */
  int end_in_plies;          /* Of a proven win; negative: of a proven loss; 0: nothing is proven. */
} makzero_line;

/* Called after every iteration, in the thread that runs the search, whose info and lines it may ask for;
 * other than 0 ends the search. */
typedef int (*makzero_progress)(const makzero_search* search, void* data);

/* `table_bytes`: size of the transposition table, which is kept from run to run; 0: 16 MiB. */
MAKZERO_API makzero_search* makzero_search_new(const makzero_network* network, size_t table_bytes);
MAKZERO_API void makzero_search_free(makzero_search* search);

/* Searches a position that has legal moves, of the network's ruleset, and returns the best move, at least 0.
 * `limits` and `progress` may be NULL; without limits the search takes 64 plies, or until it is stopped. */
MAKZERO_API int makzero_search_run(makzero_search* search, const makzero_position* position,
                                   const makzero_limits* limits, makzero_progress progress, void* data);

/* What the last run has found, or the running one so far: lines from number 0, the best first. */
MAKZERO_API int makzero_search_get_info(const makzero_search* search, makzero_search_info* info);
MAKZERO_API int makzero_search_line(const makzero_search* search, int number, makzero_line* line);

/* Ends the run soon; from any thread. Does nothing where none runs. */
MAKZERO_API int makzero_search_stop(makzero_search* search);

/* Empties the table. */
MAKZERO_API int makzero_search_forget(makzero_search* search);

/* --- Game documents: PGN, saved games, JSON, bare moves, UCI's `position` lines. --- */

/* Games in a text of `size` bytes, each read by its number from 0. `ruleset`: of texts that do not name
 * theirs; NULL: the game in which the moves are legal. */
MAKZERO_API int makzero_document_count(const char* text, size_t size);
MAKZERO_API makzero_document* makzero_document_read(const char* text, size_t size, int number,
                                                    const char* ruleset);

/* The game that led to a position, without tags. */
MAKZERO_API makzero_document* makzero_document_new(const makzero_position* position);
MAKZERO_API void makzero_document_free(makzero_document* document);

/* The position at the end of the main line, with its game. */
MAKZERO_API makzero_position* makzero_document_position(const makzero_document* document);

/* Why reading stopped before the end of the text; "": it did not. */
MAKZERO_API int makzero_document_fault(const makzero_document* document, char* text, size_t size);

/* The value of a tag, "" where there is none; and one that is set or added. */
MAKZERO_API int makzero_document_tag(const makzero_document* document, const char* name, char* text,
                                     size_t size);
MAKZERO_API int makzero_document_set_tag(makzero_document* document, const char* name, const char* value);

/* `format`: "pgn", "playok" and "thai" (PGN in such letters), "text" or "json". */
MAKZERO_API int makzero_document_write(const makzero_document* document, const char* format, char* text,
                                       size_t size);

#ifdef __cplusplus
}
#endif

#endif
