/// The script of the pages: progressive enhancement. Every page works without it.
enum PageScript {
    static let path = "/assets/ostiary.js"

    static let text = """
        "use strict";
        // Adds a button that shows the typed password, so that typing errors can be seen.
        for (const input of document.querySelectorAll("input[data-show]")) {
          const button = document.createElement("button");
          button.type = "button";
          button.className = "reveal";
          button.setAttribute("aria-controls", input.id);
          const show = (shown) => {
            input.type = shown ? "text" : "password";
            button.textContent = shown ? input.dataset.hide : input.dataset.show;
            // The accessible name contains the visible label, so that speech input can address the button.
            button.setAttribute("aria-label", shown ? input.dataset.hideName : input.dataset.showName);
          };
          show(false);
          button.addEventListener("click", () => show(input.type === "password"));
          // Submits the field as a password again; the browser would otherwise remember it as ordinary text.
          input.form.addEventListener("submit", () => show(false));
          input.after(button);
        }
        // Marks a new password that is long enough, counted in code points as on the server.
        for (const hint of document.querySelectorAll("[data-minimum]")) {
          const input = document.getElementById(hint.id.replace("-hint", ""));
          const check = () => hint.classList.toggle("met", [...input.value].length >= Number(hint.dataset.minimum));
          input.addEventListener("input", check);
          check();
        }
        // Writes times in the browser's time zone and the page's language.
        for (const time of document.querySelectorAll("time[datetime]")) {
          const date = new Date(time.dateTime);
          if (!isNaN(date)) {
            time.textContent =
              date.toLocaleString(document.documentElement.lang, {dateStyle: "medium", timeStyle: "short"});
          }
        }
        // Shows the buttons that copy a list and print the page.
        for (const button of document.querySelectorAll("[data-copy]")) {
          if (!navigator.clipboard) continue;
          const label = button.textContent;
          button.hidden = false;
          button.addEventListener("click", async () => {
            const lines = [...document.getElementById(button.dataset.copy).children].map((line) => line.textContent.trim());
            await navigator.clipboard.writeText(lines.join("\\n"));
            button.textContent = button.dataset.done;
            setTimeout(() => { button.textContent = label; }, 3000);
          });
        }
        for (const button of document.querySelectorAll("[data-print]")) {
          button.hidden = false;
          button.addEventListener("click", () => print());
        }
        // Prevents a second submission of a form.
        for (const form of document.forms) {
          form.addEventListener("submit", (event) => {
            if (form.hasAttribute("aria-busy")) event.preventDefault();
            form.setAttribute("aria-busy", "true");
            setTimeout(() => form.removeAttribute("aria-busy"), 10000);
          });
        }
        // The browser may restore the page from its history in its previous state.
        addEventListener("pageshow", () => {
          for (const form of document.forms) form.removeAttribute("aria-busy");
        });

        """
}
