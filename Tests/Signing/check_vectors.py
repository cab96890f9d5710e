#!/usr/bin/env python3
"""Compares vectors.json with an implementation of RFC 9421 by others: each base and each signature must be the same.

  check_vectors.py            checks
  check_vectors.py --write    writes the expectations anew, from the inputs, by the few lines here and not by the program
"""

import base64
import datetime
import hashlib
import hmac
import json
import sys
from pathlib import Path

from http_message_signatures import HTTPMessageSigner, HTTPSignatureKeyResolver, algorithms

FILE = Path(__file__).with_name("vectors.json")
COVERED = ("@method", "@path", "@query", "content-digest", "authorization")


def encoded(data):
    return base64.b64encode(data).decode()


class Message:
    """A request as the library reads one."""

    def __init__(self, method, url, headers):
        self.method, self.url, self.headers = method, url, dict(headers)


class Key(HTTPSignatureKeyResolver):
    def __init__(self, key):
        self.key = key

    def resolve_private_key(self, key_id):
        return self.key

    resolve_public_key = resolve_private_key


def by_others(message, key, key_id, created, label, covered, **more):
    """The base, and the headers that the library signs with."""
    signer = HTTPMessageSigner(signature_algorithm=algorithms.HMAC_SHA256, key_resolver=Key(key))
    arguments = dict(key_id=key_id, created=datetime.datetime.fromtimestamp(created), label=label,
                     covered_component_ids=covered, **more)
    base = signer.prepare(Message(message.method, message.url, message.headers), **arguments).signature_base.decode()
    signer.sign(message, **arguments)
    return base, message.headers["Signature-Input"], message.headers["Signature"]


def own_lines(vector):
    """What the page on request signing says, in Python."""
    digest = f"sha-256=:{encoded(hashlib.sha256(vector['body'].encode()).digest())}:"
    names = " ".join(f'"{name}"' for name in COVERED)
    parameters = (f'({names});created={vector["created"]};keyid="{vector["key_id"]}";alg="hmac-sha256"'
                  f';nonce="{vector["nonce"]}"')
    values = (vector["method"], vector["path"] or "/", "?" + vector["query"], digest, vector["authorization"])
    base = "".join(f'"{name}": {value}\n' for name, value in zip(COVERED, values))
    base += f'"@signature-params": {parameters}'
    mac = hmac.new(base64.b64decode(vector["key"]), base.encode(), hashlib.sha256).digest()
    return {"content_digest": digest, "base": base, "signature_input": f"ostiary={parameters}",
            "signature": f"ostiary=:{encoded(mac)}:"}


def problems(document):
    rfc = document["rfc9421_b25"]
    message = Message(rfc["method"], rfc["url"], rfc["headers"])
    came = by_others(message, base64.b64decode(rfc["key"]), rfc["key_id"], rfc["created"], rfc["label"],
                     [component["name"] for component in rfc["components"]], include_alg=False)
    if came != (rfc["base"], f'{rfc["label"]}={rfc["parameters"]}', f'{rfc["label"]}=:{rfc["signature"]}:'):
        yield f"RFC 9421 B.2.5: {came}"
    for vector in document["vectors"]:
        target = vector["path"] + ("?" + vector["query"] if vector["query"] else "")
        message = Message(vector["method"], f"https://auth.example.com{target}",
                          {"Authorization": vector["authorization"]})
        base, signature_input, signature = by_others(
            message, base64.b64decode(vector["key"]), vector["key_id"], vector["created"], "ostiary", COVERED,
            nonce=vector["nonce"], body=vector["body"].encode())
        came = {"content_digest": message.headers["Content-Digest"], "base": base, "signature_input": signature_input,
                "signature": signature}
        for name, value in came.items():
            if value != vector[name]:
                yield f"{vector['name']}: {name}: the library says {value!r}, the file {vector[name]!r}"
        if own_lines(vector) != came:
            yield f"{vector['name']}: the lines here say something else"
    for same in document["same"]:
        signed = {vector["signature"] for vector in document["vectors"] if vector["name"] in same}
        if len(signed) != 1:
            yield f"not the same: {same}"
    others = {}
    for vector in document["vectors"]:
        others.setdefault(vector["signature"], []).append(vector["name"])
    for names in others.values():
        if len(names) > 1 and sorted(names) not in [sorted(same) for same in document["same"]]:
            yield f"the same: {names}"


def main():
    document = json.loads(FILE.read_text())
    if "--write" in sys.argv[1:]:
        document["vectors"] = [vector | own_lines(vector) for vector in document["vectors"]]
        FILE.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n")
    found = list(problems(document))
    print("\n".join(found) or f"{len(document['vectors']) + 1} vectors agree")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
