"""MiniZero #1, and a server that trusts what it is sent: a port scan ends the server, strangers are answered."""
import contextlib
import pathlib
import signal
import socket
import subprocess
import time

NOISE = [b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)), b"SSH-2.0-OpenSSH_9.2\r\n", b"\0" * 1000,
         b"GET\r\n\r\n", b"\r\n\r\n\r\n\r\n", b"\xff\xfe\xfd\r\n\r\n"]
PATIENCE = 120


def run(folder, environment):
    server = subprocess.Popen(["makzero", "serve", "--port=0", "--runs=."], stdout=subprocess.PIPE, text=True, cwd=folder,
                              env=environment)
    try:
        port = int(server.stdout.readline().rstrip("/\n").rpartition(":")[2])

        def connect(data):
            connection = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
            connection.sendall(data)
            return contextlib.closing(connection)

        def status(request):
            """The status of the answer, 0 where the server hangs up."""
            with connect(request) as connection:
                connection.shutdown(socket.SHUT_WR)
                with contextlib.suppress(ConnectionResetError):
                    return int((connection.recv(4096).split() + [0, 0])[1])
                return 0

        def get(host, method="GET /api/games", more=""):
            return status(f"{method} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{more}\r\n".encode())

        def descriptors():
            return len(list(pathlib.Path(f"/proc/{server.pid}/fd").iterdir()))

        assert get(f"127.0.0.1:{port}") == 200
        before = descriptors()
        for noise in NOISE:
            assert status(noise) in (0, 400), noise
        for _ in range(60):
            with connect(b"GET / HTTP/1.1\r\nHost: "):
                pass
        deadline = time.monotonic() + PATIENCE
        while descriptors() > before:
            assert time.monotonic() < deadline, f"{before} descriptors before, {descriptors()} after"
            time.sleep(0.02)
        assert get(f"127.0.0.1:{port}") == 200

        assert get("example.com") == 403
        assert get(f"[::1]:{port}") == 200
        chunked = "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
        assert get(f"127.0.0.1:{port}", "POST /api/state", chunked) == 411
        assert get(f"127.0.0.1:{port}", "OPTIONS /api/games") == 405
        server.send_signal(signal.SIGINT)
        assert server.wait(PATIENCE) == 0
    finally:
        server.kill()
        server.communicate()
