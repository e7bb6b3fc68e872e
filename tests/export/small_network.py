"""Reference evaluator of small networks, by mcts/SMALL_NETWORK.md, with NumPy: small_network.py FOLDER ... prints how
many test vectors of FOLDER/net.json it reproduces from FOLDER/small_network.bin."""
import json
import pathlib
import struct
import sys

import numpy


class SmallNetwork:
    def __init__(self, data, board, rule_features):
        self.data, self.at, self.board = data, 0, board
        assert self.take("14s") == b"small network\n" and self.take("I") == 2, "another format"
        self.hidden = self.take("I")
        self.first, inputs = {}, 0
        for _ in range(self.take("H")):
            self.first[self.text()] = inputs
            inputs += self.take("I")
        self.game, self.source = self.text(), self.text()
        rules = [self.text() for _ in range(self.take("H"))]
        self.features = self.array("<i2", inputs, self.hidden)
        rule_weights = self.array("<i2", len(rules), self.hidden)
        bias = self.array("<i2", self.hidden).astype(numpy.float32)
        self.output = self.array("<i2", 8, 2, self.hidden).astype(numpy.int64)
        self.output_bias = self.array("<i4", 8)
        assert self.at == len(data), "bytes behind the end"
        for name, weights in zip(rules, rule_weights):
            bias += numpy.float32(rule_features.get(name, 0)) * weights.astype(numpy.float32)
        self.bias = bias.clip(-32767, 32767).astype(numpy.int16)  # Towards 0.

    def take(self, form):
        (value,) = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return value

    def text(self):
        return self.take(f"{self.take('H')}s").decode()

    def array(self, kind, *shape):
        values = numpy.frombuffer(self.data, kind, int(numpy.prod(shape)), self.at).reshape(shape)
        self.at += values.nbytes
        return values

    def piece_inputs(self, placement, side):
        for rank, row in zip(range(self.board["ranks"] - 1, -1, -1), placement.split("/")):
            file = 0
            for sign in row:
                if sign.isdigit():
                    file += int(sign)
                    continue
                square = 8 * rank + file
                seen = square if side == "w" else 8 * (self.board["ranks"] - 1) + self.board["files"] - 1 - square
                own = sign.isupper() == (side == "w")
                yield self.first["pieces"] + ((0 if own else 6) + self.board["kinds"].index(sign.upper())) * 64 + seen
                file += 1

    def score(self, position, state_inputs):
        """For the side to move, in thousandths of a logit. `state_inputs`: of the side to move and of the other."""
        placement, mover = position.split()[:2]
        pieces = sum(sign.isalpha() for sign in placement)
        bucket = min(max(pieces - 1, 0) // 4, 7)
        total = 255 * int(self.output_bias[bucket])
        for part, side in enumerate([mover, "b" if mover == "w" else "w"]):
            inputs = [*self.piece_inputs(placement, side), *state_inputs[part]]
            sums = self.bias + self.features[inputs].sum(0, dtype=numpy.int16)
            total += int((sums.clip(0, 255).astype(numpy.int64) ** 2 * self.output[bucket, part]).sum())
        score = abs(total) * 1000 // (255 * 255 * 64)
        return score if total >= 0 else -score


def check(folder):
    net = json.loads((folder / "net.json").read_text())
    network = SmallNetwork((folder / "small_network.bin").read_bytes(), net["board"], net["rule_features"])
    vectors = net["test_vectors"]
    for vector in vectors:
        score = network.score(vector["position"], vector["state_inputs"])
        assert score == vector["score"], (folder, vector, score)
    return len(vectors)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(f"{name}: {check(pathlib.Path(name))} scores as in net.json")
