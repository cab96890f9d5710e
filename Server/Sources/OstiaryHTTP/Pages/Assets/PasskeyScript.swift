/// The script of pages where a passkey is used or added: WebAuthn has no form without one.
///
/// It fetches the options, asks the authenticator, and submits its response with the page's form, so that the answer is a page
/// again. Source: WebAuthn Level 3 §5.1.
enum PasskeyScript {
    static let path = "/assets/passkeys.js"

    static let text = """
        "use strict";
        const decode = (text) =>
          Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
        const encode = (buffer) =>
          btoa(Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join(""))
            .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
        // PublicKeyCredential.parseCreationOptionsFromJSON and toJSON, which not all browsers have.
        const parse = (options) => {
          const descriptors = (list) => (list ?? []).map((entry) => ({...entry, id: decode(entry.id)}));
          const parsed = {...options, challenge: decode(options.challenge)};
          if (options.user) parsed.user = {...options.user, id: decode(options.user.id)};
          if (options.excludeCredentials) parsed.excludeCredentials = descriptors(options.excludeCredentials);
          if (options.allowCredentials) parsed.allowCredentials = descriptors(options.allowCredentials);
          return parsed;
        };
        const write = (credential) => {
          const response = {};
          for (const member of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
            if (credential.response[member]) response[member] = encode(credential.response[member]);
          }
          if (credential.response.getTransports) response.transports = credential.response.getTransports();
          return JSON.stringify({
            id: credential.id, rawId: encode(credential.rawId), type: credential.type, response,
            authenticatorAttachment: credential.authenticatorAttachment ?? undefined, clientExtensionResults: {},
          });
        };
        // A refusal of this server, in words.
        class Refusal extends Error {}

        const start = async (form) => {
          const button = form.querySelector("button");
          const status = form.querySelector("[role=status]");
          const texts = form.dataset;
          for (const note of form.querySelectorAll(".without-script")) note.hidden = true;
          if (!window.PublicKeyCredential) {
            status.textContent = texts.unsupported;
            return;
          }
          // The request that waits for the person to choose a passkey in a field.
          let waiting;

          const ask = async (mediation) => {
            const answer = await fetch(texts.options, {method: "POST", body: new URLSearchParams(new FormData(form))});
            const options = await answer.json();
            if (!answer.ok) throw new Refusal(options.error);
            // The person has pressed the button meanwhile.
            if (mediation && button.disabled) return;
            waiting = new AbortController();
            const request = {publicKey: parse(options.public_key), signal: waiting.signal, ...mediation};
            // A challenge is valid for five minutes. It is replaced until the person has chosen a passkey.
            const renewal = mediation && setTimeout(() => waiting.abort("renewal"), 240000);
            try {
              const credential = await navigator.credentials[texts.passkey](request);
              form.elements.passkey_token.value = options.passkey_token ?? "";
              form.elements.credential.value = write(credential);
            } finally {
              clearTimeout(renewal);
            }
            form.submit();
          };

          const askNow = async () => {
            if (button.disabled) return;
            waiting?.abort("button");
            status.textContent = "";
            button.disabled = true;
            try {
              await ask();
            } catch (error) {
              status.textContent =
                error instanceof Refusal ? error.message
                  : error.name === "NotAllowedError" || error.name === "AbortError" ? texts.cancelled
                  : error.name === "InvalidStateError" ? texts.exists : texts.failed;
              button.disabled = false;
            }
          };

          button.hidden = false;
          button.addEventListener("click", askNow);
          // Enter in a field of the form.
          form.addEventListener("submit", (event) => {
            event.preventDefault();
            form.removeAttribute("aria-busy");
            if (form.reportValidity()) askNow();
          });
          // The browser may restore the page from its history in its previous state.
          addEventListener("pageshow", () => { button.disabled = false; });

          if (!("autofill" in texts) || !await PublicKeyCredential.isConditionalMediationAvailable?.()) return;
          for (;;) {
            try {
              await ask({mediation: "conditional"});
              return;
            } catch (error) {
              // The fields are there for everything else.
              if (error !== "renewal" && waiting?.signal.reason !== "renewal") return;
            }
            if (document.hidden) {
              await new Promise((resume) => document.addEventListener("visibilitychange", resume, {once: true}));
            }
          }
        };
        for (const form of document.querySelectorAll("form[data-passkey]")) start(form);

        """
}
