/// The script of the pages: progressive enhancement. Every page works without it.
enum PageScript {
    static let path = "/assets/ostiary.js"

    static let text = """
        "use strict";
        // A button that shows what was typed, since nobody types well what they cannot see.
        for (const input of document.querySelectorAll("input[data-show]")) {
          const button = document.createElement("button");
          button.type = "button";
          button.className = "reveal";
          button.setAttribute("aria-controls", input.id);
          const show = (shown) => {
            input.type = shown ? "text" : "password";
            button.textContent = shown ? input.dataset.hide : input.dataset.show;
            // The name holds the word that is seen, so that it can be said to the machine.
            button.setAttribute("aria-label", shown ? input.dataset.hideName : input.dataset.showName);
          };
          show(false);
          button.addEventListener("click", () => show(input.type === "password"));
          // What is sent is a password again, or the browser would remember it as ordinary text.
          input.form.addEventListener("submit", () => show(false));
          input.after(button);
        }
        // Whether a new password is long enough, by code points as the server counts.
        for (const hint of document.querySelectorAll("[data-minimum]")) {
          const input = document.getElementById(hint.id.replace("-hint", ""));
          const check = () => hint.classList.toggle("met", [...input.value].length >= Number(hint.dataset.minimum));
          input.addEventListener("input", check);
          check();
        }
        // A form is sent once, however often the button is pressed.
        for (const form of document.forms) {
          form.addEventListener("submit", (event) => {
            if (form.hasAttribute("aria-busy")) event.preventDefault();
            form.setAttribute("aria-busy", "true");
            setTimeout(() => form.removeAttribute("aria-busy"), 10000);
          });
        }
        // The browser may show the page again as it was left.
        addEventListener("pageshow", () => {
          for (const form of document.forms) form.removeAttribute("aria-busy");
        });

        """
}
