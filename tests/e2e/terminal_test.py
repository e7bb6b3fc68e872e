#!/usr/bin/env python3
"""`makzero play` on a terminal: lines are edited, completed and remembered, Ctrl-C and Ctrl-D keep their meaning."""
import os
import pty
import select
import signal
import subprocess
import time
import unittest

from program import PATIENCE, PROGRAM, RunTest

UP, LEFT, HOME, END, DELETE = "\x1b[A", "\x1b[D", "\x1b[H", "\x1b[F", "\x1b[3~"
CTRL_A, CTRL_C, CTRL_D, CTRL_E, CTRL_W, TAB = "\x01", "\x03", "\x04", "\x05", "\x17", "\t"


class Session:
    """The program on a pseudo-terminal, that is typed to when it asks."""

    def __init__(self, state, *arguments, **environment):
        self.shown = ""
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.environ.update(TERM="xterm", XDG_STATE_HOME=str(state), HOME=str(state), LC_ALL="C.UTF-8")
            os.environ.update(environment)
            os.execv(PROGRAM, [PROGRAM, "play", *arguments])

    def wait_for(self, text):
        """Reads until the text is shown, and returns all that has been shown since the last text waited for."""
        deadline = time.monotonic() + PATIENCE
        while text not in self.shown:
            ready, _, _ = select.select([self.terminal], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                raise AssertionError(f"no '{text}' in: {self.shown!r}")
            try:
                read = os.read(self.terminal, 65536).decode(errors="replace")
            except OSError:  # Linux says so when the other side has been closed.
                read = ""
            if not read:
                raise AssertionError(f"ended without '{text}': {self.shown!r}")
            self.shown += read
        before, _, self.shown = self.shown.partition(text)
        return before + text

    def type(self, keys):
        os.write(self.terminal, keys.encode())

    def asked(self, keys, prompt="White > "):
        """Types at the prompt."""
        shown = self.wait_for(prompt)
        self.type(keys)
        return shown

    def end(self):
        """The exit status, once the program has ended."""
        try:
            while os.read(self.terminal, 65536):
                pass
        except OSError:
            pass
        os.close(self.terminal)
        return os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])


class TerminalTest(RunTest):
    def play(self, *arguments, **environment):
        session = Session(self.folder, "makyek", "--model", "alphabeta:1", *arguments, **environment)
        self.addCleanup(self.kill, session)
        return session

    @staticmethod
    def kill(session):
        try:
            os.kill(session.process, signal.SIGKILL)
            session.end()
        except (ProcessLookupError, ChildProcessError, OSError):
            pass

    def test_a_line_is_edited(self):
        session = self.play("--side", "both")
        session.asked("a3a4" + LEFT + "5" + DELETE + "\n")
        session.wait_for("White plays a3-a5")
        session.asked("nonsense a6a9" + "\x7f" * 2 + CTRL_W * 2 + "6a7" + HOME + "a" + END + "\n", "Black > ")
        session.wait_for("Black plays a6-a7")
        session.asked("3b4" + CTRL_A + "b" + CTRL_E + "5" + LEFT * 2 + DELETE + "\n")
        session.wait_for("White plays b3-b5")
        session.asked("quit\n", "Black > ")
        self.assertEqual(session.end(), 0)

    def test_people_are_asked_who_counts(self):
        session = Session(self.folder, "makruk", "--model", "alphabeta:1", "--side", "both")
        self.addCleanup(self.kill, session)
        session.asked("y\n", "(y/n) ")
        session.asked("rules counting\n")
        session.wait_for("Changed by the options of makruk:count.mode=manual:")
        session.asked("quit\n")
        self.assertEqual(session.end(), 0)

    def test_lines_are_remembered_across_sessions(self):
        first = self.play("--side", "both")
        first.asked("a3a5\n")
        first.asked("moves a6\n", "Black > ")
        first.asked(UP * 2 + "\n", "Black > ")
        first.wait_for("move 'a3a5' is not legal")
        first.asked("quit\n", "Black > ")
        self.assertEqual(first.end(), 0)
        second = self.play("--side", "both")
        second.asked(UP * 4 + "\n")  # quit, a3a5, moves a6, a3a5
        second.wait_for("White plays a3-a5")
        second.asked("quit\n", "Black > ")
        self.assertEqual(second.end(), 0)
        self.assertEqual([path.name for path in (self.folder / "makzero").iterdir() if "history" in path.name], ["history"])

    def test_commands_and_moves_are_completed(self):
        session = self.play("--side", "both")
        session.asked("fl" + TAB + "\n")
        session.wait_for(" h  g  f  e  d  c  b  a")
        session.asked("a3" + TAB)
        session.type(TAB)
        self.assertIn("a3-a4 a3-a5", session.wait_for("a3-a5"))
        session.type("5\n")
        session.wait_for("White plays a3-a5")
        session.asked("quit\n", "Black > ")
        self.assertEqual(session.end(), 0)

    def test_an_answer_to_a_question_is_not_remembered(self):
        game = self.folder / "game.txt"
        game.write_text("mine")
        session = self.play("--side", "both")
        session.asked(f"save {game}\n")
        session.asked("n\n", "(y/n) ")
        session.wait_for("not saved")
        session.asked(UP + "\n")
        session.wait_for("(y/n) ")  # The line before was the command.
        session.type("n\n")
        session.asked("quit\n")
        self.assertEqual(session.end(), 0)

    def test_moves_are_typed_in_thai(self):
        session = self.play("--side", "both", "--notation", "thai", "--language", "th")
        session.asked("ก๓-จ" + "\x7f" + "ก๔\n", "ขาว > ")
        session.wait_for("ก๓-ก๔")
        session.asked("quit\n", "ดำ > ")
        self.assertEqual(session.end(), 0)

    def test_an_interrupt_is_answered_with_advice(self):
        session = self.play("--side", "both")
        session.asked("a3a")
        session.type(CTRL_C)
        session.wait_for("'quit' leaves, 'save FILE' keeps the game")
        session.asked("a3a4\n", "> ")  # What was typed before is gone.
        session.wait_for("White plays a3-a4")
        session.asked(CTRL_D, "Black > ")
        self.assertEqual(session.end(), 0)

    def test_an_interrupt_stops_a_thought(self):
        session = self.play("--seconds", "100000")
        session.asked("a3a4\n")
        session.wait_for("White plays a3-a4")
        session.type(CTRL_C)
        session.wait_for("stopped: 'go' lets Black think again")
        session.asked("undo\n", "Black > ")
        session.asked("quit\n")
        self.assertEqual(session.end(), 0)

    def test_a_terminal_without_a_cursor_reads_plain_lines(self):
        session = self.play("--side", "both", TERM="dumb")
        session.asked("a3a4\n")
        session.wait_for("White plays a3-a4")
        session.asked("quit\n", "Black > ")
        self.assertEqual(session.end(), 0)
        self.assertFalse((self.folder / "makzero" / "history").exists())

    def test_what_is_piped_in_is_neither_edited_nor_remembered(self):
        run = subprocess.run([PROGRAM, "play", "makyek", "--model", "alphabeta:1", "--side", "both"], input="a3a4\nquit\n",
                             capture_output=True, text=True, timeout=PATIENCE,
                             env={**os.environ, "TERM": "xterm", "XDG_STATE_HOME": str(self.folder)})
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("White plays a3-a4", run.stdout)
        self.assertNotIn("\x1b", run.stdout)
        self.assertFalse((self.folder / "makzero" / "history").exists())


if __name__ == "__main__":
    unittest.main()
