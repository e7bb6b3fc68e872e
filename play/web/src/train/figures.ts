// Our own drawings of the pieces, in boxes of 100 x 100. Men are discs; the chess family has three sets with the same
// names: the shapes of Thai sets (stupas, a horse's head, a boat, a cowrie shell), letters, and Western figures.
// Colours come from the page's style.

export type FigureSet = "thai" | "letters" | "western";

const DISC = `<circle class="body" cx="50" cy="50" r="35"/>`;
const FOOT = `<path class="body" d="M21 88v-6q0-6 6-6h46q6 0 6 6v6z"/>`;

export const MEN: Record<string, string> = {
  // A ring tells White's men from Black's, which carry a flower, where colours cannot.
  "man-white": `${DISC}<circle class="line" cx="50" cy="50" r="25"/><circle class="line" cx="50" cy="50" r="3"/>`,
  "man-black": `${DISC}<path class="line" d="M50 50q-13-12 0-24q13 12 0 24q12-13 24 0q-12 13-24 0q13 12 0 24q-13-12 0-24q-12 13-24 0q12-13 24 0z"/>`,
  chief: `${DISC}<path class="line thick" d="M33 61l-3-24l11 10l9-16l9 16l11-10l-3 24zM34 68h32"/>`,
  hunter: `${DISC}<path class="mark" d="M50 49c8 0 16 8 16 14c0 8-9 6-16 6s-16 2-16-6c0-6 8-14 16-14z"/>
    <ellipse class="mark" cx="31" cy="48" rx="5" ry="7"/><ellipse class="mark" cx="43" cy="36" rx="5.5" ry="7.5"/>
    <ellipse class="mark" cx="57" cy="36" rx="5.5" ry="7.5"/><ellipse class="mark" cx="69" cy="48" rx="5" ry="7"/>`,
};

const THAI = {
  khun: `<path class="body" d="M28 77c0-17 11-21 12-39h20c1 18 12 22 12 39z"/><path class="body" d="M43 32q6-8 7-27q1 19 7 27z"/>
    <rect class="body" x="36" y="31" width="28" height="9" rx="3.5"/><path class="line" d="M33 62h34M38 51h24"/>${FOOT}`,
  khon: `<path class="body" d="M28 77c0-17 17-17 19-43l3-14l3 14c2 26 19 26 19 43z"/><path class="line" d="M34 64h32"/>${FOOT}`,
  met: `<path class="body" d="M29 77c0-17 9-27 21-27s21 10 21 27z"/><circle class="body" cx="50" cy="43" r="8.5"/><path class="line" d="M33 65h34"/>${FOOT}`,
  ma: `<path class="body" d="M31 77c-1-14 8-18 11-27c-5 3-9 7-14 5c-5-2-5-8-2-12c6-7 8-15 17-20l2-8l7 7c15 4 20 19 18 36c-1 8-1 15-1 21z"/>
    <path class="line" d="M56 29c9 8 10 20 7 34"/><circle class="mark" cx="44" cy="34" r="3"/>${FOOT}`,
  ruea: `<path class="body" d="M32 56c0-24 36-24 36 0z"/><path class="line" d="M44 55v-16M56 55v-16"/>
    <path class="body" d="M16 46c10 12 58 12 68 0c-1 22-10 42-25 42h-18c-15 0-24-20-25-42z"/><path class="line" d="M23 67c14 6 40 6 54 0"/>`,
  // The shell lies on its opening; turned over, as a promoted pawn, it shows its teeth.
  bia: `<path class="body" d="M22 64c0-20 13-31 28-31s28 11 28 31c0 10-12 15-28 15s-28-5-28-15z"/>
    <path class="line" d="M30 62c1-11 8-18 17-20"/><path class="line" d="M24 70c14 6 38 6 52 0"/>`,
  turned: `<path class="body" d="M26 59c2-15 14-21 27-20c16 1 25 11 24 25c-1 13-12 22-27 22c-16 0-26-12-24-27z"/>
    <path class="line thick" d="M33 67c6-12 26-13 37-6"/><path class="line" d="M37 56l2 7M44 51l1 8M52 49v8M60 50l-1 8M38 70l-1 5M46 67v7M55 66l1 7M63 67l2 6"/>`,
};

const letter = (text: string, below = "") =>
  `<circle class="body" cx="50" cy="46" r="36"/><text class="letter" x="50" y="63" text-anchor="middle">${text}</text>${below}`;

// As positions write them; a promoted pawn is a queen with a bar.
const LETTERS = {
  khun: letter("K"),
  met: letter("M"),
  khon: letter("S"),
  ma: letter("N"),
  ruea: letter("R"),
  bia: letter("P"),
  turned: letter("M", `<path class="line thick" d="M32 72h36"/>`),
};

const WESTERN = {
  khun: `<path class="body" d="M47 5h6v7h7v6h-7v16h-6v-16h-7v-6h7z"/>
    <path class="body" d="M31 77c-2-12-14-16-12-29c2-13 22-15 31-2c9-13 29-11 31 2c2 13-10 17-12 29z"/><path class="line" d="M34 67h32M50 46v20"/>${FOOT}`,
  met: `<path class="body" d="M31 77l-12-44l16 23l5-32l10 29l10-29l5 32l16-23l-12 44z"/><circle class="body" cx="19" cy="31" r="5"/>
    <circle class="body" cx="40" cy="21" r="5"/><circle class="body" cx="60" cy="21" r="5"/><circle class="body" cx="81" cy="31" r="5"/><path class="line" d="M34 67h32"/>${FOOT}`,
  khon: `<path class="body" d="M35 77c2-6-9-13-7-26c2-14 14-20 22-31c8 11 20 17 22 31c2 13-9 20-7 26z"/><circle class="body" cx="50" cy="14" r="6"/>
    <path class="line" d="M50 37v18M41 46h18M36 68h28"/>${FOOT}`,
  ma: THAI.ma,
  ruea: `<path class="body" d="M26 17h11v8h8v-8h10v8h8v-8h11v20l-8 7v24l7 9h-46l7-9v-24l-8-7z"/><path class="line" d="M34 44h32M34 68h32"/>${FOOT}`,
  bia: `<path class="body" d="M30 77c0-14 10-16 12-25h16c2 9 12 11 12 25z"/><circle class="body" cx="50" cy="40" r="14"/>${FOOT}`,
  // A pawn with a crown.
  turned: `<path class="body" d="M30 77c0-14 10-15 12-23h16c2 8 12 9 12 23z"/><path class="body" d="M36 56l-10-29l13 12l11-19l11 19l13-12l-10 29z"/>${FOOT}`,
};

export const CHESS_SETS: Record<FigureSet, Record<string, string>> = { thai: THAI, letters: LETTERS, western: WESTERN };
