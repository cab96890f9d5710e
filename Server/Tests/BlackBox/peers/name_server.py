"""A name server on a free port of 127.0.0.1, which answers TXT records by dnspython."""

import socket
import threading

import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset


class NameServer:
    """`records` has the texts of each name. `with` starts and stops it."""

    def __init__(self, records):
        self.records, self.asked = records, []
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.socket.getsockname()[1]}"

    def __enter__(self):
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.socket.close()

    def _serve(self):
        while True:
            try:
                data, client = self.socket.recvfrom(4096)
                self.socket.sendto(self._answer(data), client)
            except OSError:
                return

    def _answer(self, data):
        query = dns.message.from_wire(data)
        question = query.question[0]
        name = question.name.to_text(omit_final_dot=True).lower()
        self.asked.append(name)
        answer = dns.message.make_response(query)
        answer.flags |= dns.flags.RA
        if name not in self.records:
            answer.set_rcode(dns.rcode.NXDOMAIN)
        elif question.rdtype == dns.rdatatype.TXT:
            # A string of a record has 255 bytes at most.
            texts = [" ".join(f'"{text[at:at + 255]}"' for at in range(0, len(text), 255)) for text in self.records[name]]
            answer.answer.append(dns.rrset.from_text_list(question.name, 60, "IN", "TXT", texts))
        return answer.to_wire()
