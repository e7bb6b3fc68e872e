// `ffish`, Fairy-Stockfish as a library for Node.js, behind the UCI commands that fairy_test.cc gives to the packaged
// program: "setoption name UCI_Variant value V", "position fen F moves M...", "d", "go perft N". `d` also tells
// the captures and, counts and repetitions claimed, the result.
// usage: node ffish_engine.js FOLDER_OF_FFISH < COMMANDS
const fs = require('fs');

delete globalThis.fetch;  // ffish would ask it for a file that lies beside it.
const ffish = require(process.argv[2]);

const listed = (moves) => moves ? moves.split(' ') : [];

function perft(board, depth) {
  if (depth === 0) return 1;
  if (depth === 1) return board.numberLegalMoves();
  let leaves = 0;
  for (const move of listed(board.legalMoves())) {
    board.push(move);
    leaves += perft(board, depth - 1);
    board.pop();
  }
  return leaves;
}

function describe(board) {
  const captures = listed(board.legalMoves()).filter((move) => board.isCapture(move)).sort();
  return `Fen: ${board.fen()}\nCheckers: ${board.checkedPieces()}\nCaptures: ${captures.join(' ')}\n` +
         `Result: ${board.result(true)}\n`;
}

function divide(board, depth) {
  let text = '', leaves = 0;
  for (const move of listed(board.legalMoves())) {
    board.push(move);
    const below = perft(board, depth - 1);
    text += `${move}: ${below}\n`;
    leaves += below;
    board.pop();
  }
  return text + `Nodes searched: ${leaves}\n`;
}

ffish.onRuntimeInitialized = () => {
  const {version} = JSON.parse(fs.readFileSync(`${process.argv[2]}/package.json`));
  console.log(`ffish ${version}, ${ffish.info()}`);
  let variant, board, start, played;
  for (const line of fs.readFileSync(0, 'utf8').split('\n')) {
    const words = line.split(' ');
    if (words[0] === 'setoption') variant = words[4];
    if (words[0] === 'position') {
      const [fen, moves = ''] = line.slice('position fen '.length).split(' moves ');
      if (fen !== start || !moves.startsWith(played)) {
        if (board) board.delete();
        board = new ffish.Board(variant, start = fen);
        played = '';
      }
      for (const move of listed(moves.slice(played.length).trim())) board.push(move);
      played = moves;
    }
    if (words[0] === 'd') process.stdout.write(describe(board));
    if (words[0] === 'go') process.stdout.write(divide(board, Number(words[2])));
  }
};
