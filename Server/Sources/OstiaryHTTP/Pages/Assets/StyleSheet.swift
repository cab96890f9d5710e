/// The style sheet of all pages: light and dark, mobile first, no external resources.
///
/// An app's colour is a query parameter of its address, since the pages' policy allows no inline style.
enum StyleSheet {
    static let path = "/assets/ostiary.css"

    static func path(for frame: Branding) -> String {
        guard let color = frame.color.flatMap(PageColor.init) else { return path }
        return "\(path)?color=\(color.hex)"
    }

    /// - Parameter color: The fill colour of buttons; nil for the default.
    static func text(color: PageColor?) -> String {
        """
        \(palette(color ?? .ours))
        \(sheet)
        """
    }

    /// The colours of all pages, for style sheets to use.
    static func palette(_ color: PageColor) -> String {
        """
        :root { \(variables(color, paper: lightPaper)) }
        @media (prefers-color-scheme: dark) { :root { \(variables(color, paper: darkPaper)) } }
        \(colors)
        """
    }

    /// The background colours of the sheet below.
    private static let lightPaper = PageColor.white
    private static let darkPaper = PageColor(red: 0x1C, green: 0x1F, blue: 0x25)

    private static func variables(_ color: PageColor, paper: PageColor) -> String {
        """
        --accent: #\(color.hex); --on-accent: #\(color.ink.hex); --link: #\(color.legible(on: paper).hex); \
        --edge-accent: #\(color.legible(on: paper, contrast: 3).hex);
        """
    }

    private static let colors = """
        :root { color-scheme: light dark; --paper: #fff; --ground: #f3f4f6; --ink: #16181d; --quiet: #525a68;
                --line: #dfe2e7; --edge: #848c9a; --field: #fff; --problem: #a8231c; --problem-ground: #fdeeec;
                --done: #1a7440; }
        @media (prefers-color-scheme: dark) {
          :root { --paper: #1c1f25; --ground: #121419; --ink: #eceef2; --quiet: #aab1be; --line: #343943;
                  --edge: #7b8392; --field: #15181d; --problem: #ffb4ab; --problem-ground: #3c1b18; --done: #4fb477; }
        }
        """

    private static let sheet = """
        *, ::before, ::after { box-sizing: border-box; }
        html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
        body { margin: 0; min-height: 100vh; min-height: 100dvh; padding: 1.5rem; display: flex; flex-direction: column;
               align-items: center; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, -apple-system,
               "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; overflow-wrap: anywhere; }
        header, main, footer { width: 100%; max-width: 26rem; }
        .brand { display: flex; align-items: center; gap: .75rem; margin-bottom: 2rem; font-weight: 600; }
        .mark { flex: none; width: 2.25rem; height: 2.25rem; border-radius: .625rem; display: grid; place-items: center;
                background: var(--accent); color: var(--on-accent); border: 1px solid var(--edge-accent); }
        h1 { margin: 0 0 .5rem; font-size: 1.625rem; line-height: 1.25; font-weight: 650; letter-spacing: -.012em;
             text-wrap: balance; hyphens: auto; }
        p { margin: 0 0 1rem; text-wrap: pretty; }
        .lead { color: var(--quiet); }
        .lead bdi { color: var(--ink); font-weight: 600; }
        main > p, main > .lead { margin-bottom: .75rem; }
        main > p:has(+ .notice:empty:last-child) { margin-bottom: 0; }
        a { color: var(--link); text-underline-offset: .2em; text-decoration-thickness: .08em; }
        a:hover { text-decoration-thickness: .14em; }
        :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
        .sign { display: block; margin-bottom: 1.25rem; stroke: var(--paper); }
        .sign circle { stroke: none; }
        .done { fill: var(--done); }
        .problem { fill: var(--problem); }
        .person { display: flex; flex-wrap: wrap; gap: 0 .75rem; align-items: baseline; margin: 1.25rem 0 0; }
        main > .person { margin-bottom: 0; padding: .625rem 1rem; border: 1px solid var(--line); border-radius: .625rem; }
        .person bdi { font-weight: 600; }
        .person a { padding: .5rem 0; font-weight: 600; }

        form { display: grid; gap: 1.25rem; margin: 1.5rem 0 0; }
        .field { display: grid; gap: .375rem; }
        .label { font-weight: 600; font-size: .9375rem; }
        .entry { position: relative; display: grid; }
        input { width: 100%; min-height: 3rem; padding: .625rem .875rem; font: inherit; color: inherit;
                background: var(--field); border: 1px solid var(--edge); border-radius: .625rem; appearance: none; }
        input:focus-visible { outline-offset: -1px; border-color: var(--link); }
        input[data-show] { padding-right: 6.5rem; }
        input[aria-invalid] { border-color: var(--problem); box-shadow: 0 0 0 1px var(--problem); }
        input[aria-invalid]:focus-visible { border-color: var(--problem); outline-offset: 2px; }
        .check { display: flex; gap: .75rem; align-items: center; min-height: 2.75rem; }
        .check input { flex: none; width: 1.25rem; min-height: 0; height: 1.25rem; margin: 0; padding: 0; appearance: auto;
                       accent-color: var(--link); }
        .check label { padding: .5rem 0; }
        .reveal { position: absolute; inset: .125rem .125rem .125rem auto; min-height: 0; width: auto; padding: 0 .875rem;
                  border: 0; border-radius: .5rem; background: none; color: var(--link); font-size: .9375rem; }
        .hint, .complaint, .aside { margin: 0; font-size: .875rem; line-height: 1.45; }
        .hint { color: var(--quiet); }
        .hint[data-minimum] { position: relative; padding-left: 1.375rem; }
        .hint[data-minimum]::before { content: ""; position: absolute; left: .25rem; top: .45rem; width: .375rem;
                  height: .375rem; border-radius: 50%; background: var(--edge); }
        .hint.met::before { top: .2rem; width: .4rem; height: .75rem; border: solid var(--done);
                  border-width: 0 2px 2px 0; border-radius: 0; background: none; rotate: 42deg; }
        .complaint { color: var(--problem); font-weight: 500; }
        .aside a { display: inline-block; padding: .5rem 0; }
        .aside { margin-bottom: -.5rem; }

        button, .button, .choice { display: flex; align-items: center; justify-content: center; width: 100%;
                min-height: 3rem; padding: .625rem 1rem; font: inherit; font-weight: 600; text-align: center;
                text-decoration: none; border: 1px solid var(--edge-accent); border-radius: .625rem; cursor: pointer;
                background: var(--accent); color: var(--on-accent); }
        button:hover, .button:hover, .choice:hover { box-shadow: 0 0 0 3px var(--line); }
        .quiet { background: none; color: var(--ink); border-color: var(--edge); }
        button + button { margin-top: -.5rem; }
        [aria-busy] button { cursor: progress; opacity: .7; }
        .next { margin: 1.5rem 0 0; padding-top: 1.25rem; border-top: 1px solid var(--line); color: var(--quiet); }
        .next a:not(.button) { display: inline-block; padding: .375rem 0; font-weight: 600; }
        .next:has(.button) { border: 0; padding: 0; }

        .notice:empty { display: none; }
        .notice { margin: 1.25rem 0 0; padding: .875rem 1rem; border: 1px solid var(--problem); border-radius: .625rem;
                  background: var(--problem-ground); }
        .notice h2 { margin: 0 0 .125rem; font-size: 1rem; color: var(--problem); }
        .notice p { margin: 0; }
        .notice a { display: inline-block; padding: .25rem 0; color: inherit; }

        [hidden] { display: none; }
        @media (scripting: enabled) { .without-script { display: none; } }
        .divided { padding-top: 1.25rem; border-top: 1px solid var(--line); }
        .passkey .complaint:empty { display: none; }
        p.passkey { margin-top: 1.5rem; }
        .ways { gap: .75rem; }
        .ways h2 { margin: .5rem 0 0; padding-top: 1.25rem; border-top: 1px solid var(--line); font-size: 1rem; font-weight: 600; }
        .ways p { margin: 0; color: var(--quiet); font-size: .9375rem; }
        .ways button + button { margin-top: 0; }
        .danger { background: none; color: var(--problem); border-color: var(--problem); }

        figure { margin: 1.25rem 0 0; }
        figure p { margin: 0 0 .5rem; }
        .qr { display: block; width: 100%; max-width: 15rem; height: auto; margin: 0 auto 1.25rem; border: 1px solid var(--line);
              border-radius: .625rem; }
        .key { padding: .75rem 1rem; background: var(--field); border: 1px solid var(--line); border-radius: .625rem; }
        .key code { font-size: 1rem; letter-spacing: .04em; }
        figcaption a { display: inline-block; padding: .375rem 0; font-weight: 600; }
        .codes { list-style: none; margin: 1.25rem 0; padding: 1rem; display: grid; grid-template-columns: 1fr 1fr; gap: .625rem 1rem;
                 justify-items: center; background: var(--field); border: 1px solid var(--line); border-radius: .625rem; }
        .codes code { font-size: 1.0625rem; font-weight: 600; letter-spacing: .04em; overflow-wrap: normal; }
        .tools { display: flex; gap: .75rem; margin: 0; }
        .tools button { margin: 0; }

        section { margin: 1.25rem 0 0; padding: 1.25rem; border: 1px solid var(--line); border-radius: .75rem;
                  background: var(--paper); }
        section h2 { margin: 0 0 .25rem; font-size: 1.125rem; }
        section > p:last-child { margin-bottom: 0; }
        section > .hint { margin: 0 0 1rem; }
        .rows { list-style: none; margin: 0; padding: 0; }
        .rows li { display: flex; flex-wrap: wrap; gap: .75rem 1rem; align-items: center; justify-content: space-between;
                   padding: .875rem 0; border-top: 1px solid var(--line); }
        .rows li:first-child { border-top: 0; }
        .rows li:last-child { padding-bottom: 0; }
        .rows div { flex: 1 1 8rem; min-width: 0; }
        .rows p { margin: 0; }
        .title { font-weight: 600; }
        .badge { display: inline-block; margin-left: .25rem; padding: 0 .5rem; border: 1px solid var(--edge); border-radius: 1rem;
                 color: var(--quiet); font-size: .8125rem; font-weight: 500; white-space: nowrap; }
        .rows form { margin: 0; }
        .rows button, .rows .button, .actions .button, .wide .ways button { width: auto; min-height: 2.75rem; padding: .5rem 1rem; }
        .actions { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1rem 0 0; }
        .wide .ways { justify-items: start; }

        .choices { list-style: none; margin: 1.75rem 0 0; padding: 0; display: grid; gap: .75rem; }
        .choice { position: relative; padding-left: 2.5rem; padding-right: 2.5rem; font-weight: 500; }
        .choice picture { position: absolute; left: .875rem; display: flex; }
        .choice.plain { padding-left: 1rem; padding-right: 1rem; background: none; color: var(--ink); border-color: var(--edge); }
        .choice.google { background: #fff; color: #1f1f1f; border-color: #747775;
                         font-family: Roboto, system-ui, sans-serif; }
        .choice.apple { background: #000; color: #fff; border-color: #000;
                        font-family: -apple-system, "SF Pro Text", system-ui, sans-serif; }
        .choice.github { background: #24292f; color: #fff; border-color: #24292f; }
        @media (prefers-color-scheme: dark) {
          .choice.google { background: #131314; color: #e3e3e3; border-color: #8e918f; }
          .choice.apple { background: #fff; color: #000; border-color: #fff; }
          .choice.github { background: #fff; color: #24292f; border-color: #fff; }
        }

        footer { display: flex; flex-wrap: wrap; align-items: center; gap: 0 .75rem; margin-top: auto; padding-top: 2.5rem;
                 font-size: .8125rem; color: var(--quiet); }
        footer a { padding: .75rem 0; color: inherit; }
        footer span::before { content: ""; display: inline-block; width: .5rem; height: .5rem; margin-right: .5rem;
                 border-radius: 50%; background: #d58a00; }

        article { border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem; margin: 1rem 0 0;
                  background: var(--paper); }
        article h2 { margin: 0 0 .25rem; font-size: 1.0625rem; }
        .origin { display: flex; flex-wrap: wrap; gap: .125rem 1rem; color: var(--quiet); font-size: .875rem; }
        .code { font: 600 1.75rem/1.2 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; letter-spacing: .14em; }
        article .button { width: auto; display: inline-flex; }
        pre { white-space: pre-wrap; font: inherit; margin: 0; }
        .wide main { background: none; border: 0; box-shadow: none; padding: 0; }
        .wide main > h2 { margin: 2rem 0 .5rem; font-size: 1.125rem; }
        h3 { margin: 0 0 .25rem; font-size: 1.0625rem; }
        code, .command, .endpoints { font: .875rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
        .attempts { margin: 0; padding-left: 1.5rem; display: grid; gap: 1rem; }
        .attempts p { margin: 0 0 .25rem; }
        .command { padding: .75rem 1rem; background: var(--paper); border: 1px solid var(--line); border-radius: .625rem; }
        .entries, .endpoints { list-style: none; margin: 0; padding: 0; }
        .entries li { display: flex; flex-wrap: wrap; gap: 0 .75rem; }
        .entries a, .attempts a, .documents a { display: inline-block; padding: .25rem 0; font-weight: 600; }
        .entries span, .endpoints span { color: var(--quiet); }
        .entries span { padding: .25rem 0; }
        .documents { display: flex; flex-wrap: wrap; gap: 0 1.25rem; margin: 0; }
        summary { padding: .5rem 0; font-weight: 600; cursor: pointer; }
        .endpoints li { display: flex; flex-wrap: wrap; gap: 0 .75rem; padding: .25rem 0; border-top: 1px solid var(--line); }

        @media (min-width: 34rem) {
          body { background: var(--ground); padding: clamp(2rem, 9vh, 6rem) 1.5rem 1.5rem; }
          .brand { margin-bottom: 1.25rem; padding: 0 .25rem; }
          main { padding: 2.25rem 2.25rem 2.5rem; background: var(--paper); border: 1px solid var(--line);
                 border-radius: 1.125rem; box-shadow: 0 1px 2px rgb(0 0 0 / .04), 0 12px 32px -12px rgb(0 0 0 / .10); }
          footer { justify-content: center; }
        }
        .wide header, .wide main { max-width: 44rem; }
        .wide .brand { padding: 0; }
        @media (prefers-reduced-motion: no-preference) {
          button, .button, .choice, input { transition: box-shadow .12s ease-out, border-color .12s ease-out; }
        }
        @media print {
          body { padding: 0; background: none; }
          main { border: 0; box-shadow: none; padding: 0; }
          footer, form, .tools, .next { display: none; }
        }

        """
}
