/// The script of a sign-in page from whose network the server asks for a computation.
///
/// It begins when the page is shown, and a form that is sent before waits for its end. Source: FIPS 180-4 §6.2 (SHA-256).
enum ProofOfWorkScript {
    static let path = "/assets/proof-of-work.js"

    static let text = """
        "use strict";
        // crypto.subtle answers asynchronously, which takes many times as long for texts this short.
        const primes = [];
        for (let number = 2; primes.length < 64; number += 1) {
          if (primes.every((prime) => number % prime !== 0)) primes.push(number);
        }
        const fraction = (root) => ((root - Math.floor(root)) * 4294967296) | 0;
        const constants = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
        const initial = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
        const schedule = new Int32Array(64);
        const rotate = (word, count) => (word >>> count) | (word << (32 - count));

        // The first 32 bits of the SHA-256 hash of an ASCII text.
        const firstWord = (text) => {
          const blocks = Math.ceil((text.length + 9) / 64);
          const bytes = new Uint8Array(blocks * 64);
          for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
          bytes[text.length] = 0x80;
          const view = new DataView(bytes.buffer);
          view.setUint32(bytes.length - 4, text.length * 8);
          const hash = Int32Array.from(initial);
          for (let block = 0; block < blocks; block += 1) {
            for (let index = 0; index < 64; index += 1) {
              if (index < 16) {
                schedule[index] = view.getInt32(block * 64 + index * 4);
              } else {
                const early = schedule[index - 15], late = schedule[index - 2];
                schedule[index] = schedule[index - 16] + schedule[index - 7]
                  + (rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3))
                  + (rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10));
              }
            }
            let [a, b, c, d, e, f, g, h] = hash;
            for (let index = 0; index < 64; index += 1) {
              const one = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g))
                + constants[index] + schedule[index];
              const two = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
              [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
            }
            [a, b, c, d, e, f, g, h].forEach((word, index) => { hash[index] += word; });
          }
          return hash[0] >>> 0;
        };

        const solve = async (challenge, bits) => {
          // More would keep the browser busy for minutes.
          if (!(bits >= 1 && bits <= 22)) return "";
          for (let counter = 0; ; counter += 1) {
            if (counter % 2048 === 0) await new Promise((resume) => setTimeout(resume));
            const text = `${challenge}:${counter}`;
            if (firstWord(text) >>> (32 - bits) === 0) return text;
          }
        };

        for (const form of document.querySelectorAll("form[data-work]")) {
          const field = form.elements.proof_of_work;
          let isWaiting = false;
          solve(form.dataset.work, Number(form.dataset.bits)).then((text) => {
            field.value = text;
            if (isWaiting) form.submit();
          });
          form.addEventListener("submit", (event) => {
            if (field.value) return;
            event.preventDefault();
            isWaiting = true;
          });
        }

        """
}
