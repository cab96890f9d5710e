import OstiaryContracts

/// A page for a person: one style sheet, no script.
struct Page {
    var title: String
    var heading: String
    var content: String
    /// Where its forms may go, in the words of a content security policy.
    var formAction = "'none'"

    func response(status: Int = 200) -> WireResponse {
        let html = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>\(HTML.escape(title))</title>
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <link rel="stylesheet" href="\(Self.styleSheetPath)"></head><body><main>
            <h1>\(HTML.escape(heading))</h1>
            \(content)
            </main></body></html>
            """
        let policy =
            "default-src 'none'; style-src 'self'; form-action \(formAction); frame-ancestors 'none'; base-uri 'none'"
        return WireResponse(
            status: status,
            headers: [
                "content-type": "text/html; charset=utf-8", "content-security-policy": policy,
                "x-frame-options": "DENY",
                "cross-origin-opener-policy": "same-origin",
            ], body: Array(html.utf8))
    }

    static let styleSheetPath = "/assets/ostiary.css"

    static let styleSheet = WireResponse(
        status: 200, headers: ["content-type": "text/css; charset=utf-8", "cache-control": "public, max-age=300"],
        body: Array(
            """
            :root { color-scheme: light dark; --line: light-dark(#d8dbe0, #3a3d44); --quiet: light-dark(#5b6270, #a4aab6);
                    --ink: light-dark(#1c1f26, #e8eaee); --paper: light-dark(#fff, #1f2227);
                    --accent: light-dark(#1f5fd0, #7aa7ff); --on-accent: light-dark(#fff, #10131a);
                    --problem: light-dark(#b3261e, #ffb4ab); }
            * { box-sizing: border-box; }
            body { margin: 0; font: 16px/1.5 system-ui, sans-serif; background: light-dark(#f6f7f9, #17191d);
                   color: var(--ink); }
            main { max-width: 44rem; margin: 0 auto; padding: 2rem 1rem; }
            h1 { font-size: 1.4rem; }
            article, form { border: 1px solid var(--line); border-radius: .6rem; padding: 1rem 1.2rem; margin: 1rem 0;
                            background: var(--paper); }
            form { max-width: 26rem; display: grid; gap: .6rem; }
            h2 { font-size: 1.05rem; margin: 0; }
            label { font-weight: 600; }
            input { font: inherit; padding: .6rem .7rem; border: 1px solid var(--line); border-radius: .4rem;
                    background: transparent; color: inherit; }
            button { font: inherit; font-weight: 600; padding: .7rem; border: 0; border-radius: .4rem;
                     background: var(--accent); color: var(--on-accent); cursor: pointer; margin-top: .4rem; }
            :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
            .problem { color: var(--problem); margin: 0; }
            .meta, .empty { color: var(--quiet); font-size: .9rem; margin: .2rem 0 .8rem; }
            .code { font: 600 1.6rem/1.2 ui-monospace, monospace; letter-spacing: .15em; margin: .4rem 0; }
            pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; margin: 0; }
            """.utf8))
}

enum HTML {
    /// Text as it may stand in an element or in a quoted attribute.
    static func escape(_ text: String) -> String {
        var output = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": output += "&amp;"
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            case "\"": output += "&quot;"
            case "'": output += "&#39;"
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output
    }
}
