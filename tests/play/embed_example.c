/* A game of a small network against itself, through the C interface: embed_example GAME small_network.bin
 * NODES PLIES. */
#include <makzero.h>
#include <stdio.h>
#include <stdlib.h>

static int failed(void) {
  fprintf(stderr, "%s\n", makzero_last_error());
  return 1;
}

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  makzero_game* game = makzero_game_new(argv[1]);
  if (game == NULL) return failed();
  makzero_network* network = makzero_network_open(game, argv[2]);
  if (network == NULL) return failed();
  makzero_position* position = makzero_position_new(game, NULL);
  makzero_search* search = makzero_search_new(network, 0);
  makzero_limits limits = {.size = sizeof limits, .nodes = atoi(argv[3])};
  for (int ply = 0; ply < atoi(argv[4]) && makzero_position_outcome(position) == MAKZERO_ONGOING; ++ply) {
    char text[16];
    const int move = makzero_search_run(search, position, &limits, NULL, NULL);
    if (move < 0 || makzero_position_move_text(position, (makzero_move)move, NULL, text, sizeof text) < 0)
      return failed();
    printf("%s\n", text);
    if (makzero_position_play(position, (makzero_move)move) < 0) return failed();
  }
  makzero_search_free(search);
  makzero_position_free(position);
  makzero_network_free(network);
  makzero_game_free(game);
  return 0;
}
