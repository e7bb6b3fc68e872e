// What `ffish`, Fairy-Stockfish as a library for Node.js, reads in games of PGN: a line of JSON per file.
// usage: node read_pgn.js FOLDER_OF_FFISH FILE...
const fs = require('fs');

delete globalThis.fetch;  // ffish would ask it for a file that lies beside it.
const [folder, ...files] = process.argv.slice(2);
const ffish = require(folder);

ffish.onRuntimeInitialized = () => {
  for (const file of files) {
    const game = ffish.readGamePGN(fs.readFileSync(file, 'utf8'));
    const variant = game.headers('Variant').toLowerCase(), fen = game.headers('FEN');
    const moves = game.mainlineMoves().split(' ').filter((move) => move);
    const board = fen ? new ffish.Board(variant, fen) : new ffish.Board(variant);
    const legal = moves.every((move) => board.push(move));
    console.log(JSON.stringify({legal, moves, fen: board.fen(), over: board.isGameOver(true), result: board.result(true)}));
    board.delete();
    game.delete();
  }
};
