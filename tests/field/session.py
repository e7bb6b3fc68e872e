"""A UCI session that is written to and read line by line."""
import pathlib
import re
import subprocess
import threading

PATIENCE = 120  # Seconds that a session may take.


class Session:
    def __init__(self, folder, environment, *arguments):
        self.process = subprocess.Popen(["makzero", "uci", "makruk", "--model", environment["SMALL"], *arguments],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=folder, env=environment)
        self.too_long = threading.Timer(PATIENCE, self.process.kill)
        self.too_long.start()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.too_long.cancel()
        self.process.kill()
        self.process.communicate()

    def send(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()

    def read_until(self, pattern):
        """The lines up to the first that has the pattern."""
        lines = []
        while not lines or not re.search(pattern, lines[-1]):
            line = self.process.stdout.readline()
            assert line, f"ended without '{pattern}': {lines[-20:]}"
            lines.append(line.rstrip("\n"))
        return lines

    def ready(self, *lines):
        """Sends the lines; what has been answered up to readyok."""
        self.send(*lines, "isready")
        return self.read_until("^readyok$")

    def resident(self):
        """Bytes of memory in use."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return 1024 * int(re.search(r"VmRSS:\s+(\d+)", status)[1])

    def descriptors(self):
        return len(list(pathlib.Path(f"/proc/{self.process.pid}/fd").iterdir()))
