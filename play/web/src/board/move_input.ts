// A field in which moves are typed, in any notation.
import type { Backend, GameQuery } from "../backend/backend";
import { h, reasonFor } from "../dom";
import { t } from "../language";

export class MoveInput {
  readonly element: HTMLFormElement;
  private readonly field = h("input", {
    type: "text",
    name: "move",
    placeholder: t("Type a move"),
    "aria-label": t("Type a move"),
    spellcheck: "false",
    autocomplete: "off",
    autocapitalize: "off",
  });
  private readonly message = h("p", { class: "message error", role: "status" });

  // `where` is the game up to the position in which the move is played; null: nobody may play now.
  constructor(
    private readonly backend: Pick<Backend, "state">,
    private readonly where: () => GameQuery | null,
    private readonly play: (move: string) => unknown,
  ) {
    this.element = h(
      "form",
      {
        class: "move-input",
        onsubmit: (event: SubmitEvent) => {
          event.preventDefault();
          void this.send();
        },
      },
      this.field,
      this.message,
    );
  }

  private async send(): Promise<void> {
    const typed = this.field.value.trim();
    const query = this.where();
    this.message.textContent = typed && !query ? t("You cannot move now.") : "";
    if (!typed || !query) return;
    try {
      const { history } = await this.backend.state({ ...query, moves: [...query.moves, typed.replaceAll(" ", "")] });
      this.field.value = "";
      this.play(history.at(-1)!.move);
    } catch (error) {
      this.message.textContent = reasonFor(error, (why) =>
        t("This move cannot be played: {why}", { why: why.replace(/^move \d+: /, "") }),
      );
    }
  }
}
