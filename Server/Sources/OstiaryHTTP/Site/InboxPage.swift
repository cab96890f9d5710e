import Foundation
import OstiaryContracts

/// `/dev/inbox`: a page for a person, JSON for a program.
struct InboxPage {
    let inbox: any Inbox

    func answer(_ request: WireRequest, accept: String) async -> WireResponse {
        switch request.method {
        case "GET":
            let messages = await inbox.messages(app: parameter("app", request), to: parameter("to", request))
            return accept.contains("application/json") ? json(messages) : page(messages)
        case "DELETE":
            await inbox.empty()
            return WireResponse(status: 204)
        default:
            return WireResponse(status: 405, headers: ["allow": "DELETE, GET"])
        }
    }

    private func parameter(_ name: String, _ request: WireRequest) -> String? {
        for pair in request.query.split(separator: "&") where pair.hasPrefix("\(name)=") {
            return String(pair.dropFirst(name.count + 1)).removingPercentEncoding
        }
        return nil
    }

    private func json(_ messages: [InboxMessage]) -> WireResponse {
        let values = messages.map { message -> JSON in
            [
                "id": .string(message.id), "app": .string(message.app), "channel": .string(message.channel),
                "to": .string(message.to), "subject": message.subject.map { .string($0) } ?? .null,
                "text": .string(message.text), "code": message.code.map { .string($0) } ?? .null,
                "link": message.link.map { .string($0) } ?? .null, "sent_at": .string(message.sentAt),
            ]
        }
        return WireResponse(
            status: 200, headers: ["content-type": "application/json; charset=utf-8"],
            body: (["messages": .array(values)] as JSON).bytes)
    }

    private func page(_ messages: [InboxMessage]) -> WireResponse {
        let rows = messages.map { message in
            """
            <article>
            <h2>\(HTML.escape(message.subject ?? "Text message"))</h2>
            <p class="meta">\(HTML.escape(message.app)) · \(message.channel) · to \(HTML.escape(message.to)) · <time>\(
                HTML.escape(message.sentAt))</time></p>
            \(message.code.map { "<p class=\"code\">\(HTML.escape($0))</p>" } ?? "")
            <pre>\(HTML.escape(message.text))</pre>
            </article>
            """
        }
        let empty = "<p class=\"empty\">Nothing was sent yet. Messages appear here instead of in anyone's mailbox.</p>"
        let html = """
            <!doctype html>
            <html lang="en"><head><meta charset="utf-8"><title>Development inbox</title>
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <link rel="stylesheet" href="/dev/inbox.css"></head><body><main>
            <h1>Development inbox</h1>
            \(rows.isEmpty ? empty : rows.joined(separator: "\n"))
            </main></body></html>
            """
        return WireResponse(
            status: 200,
            headers: [
                "content-type": "text/html; charset=utf-8",
                "content-security-policy":
                    "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
            ], body: Array(html.utf8))
    }

    static let styleSheet = WireResponse(
        status: 200, headers: ["content-type": "text/css; charset=utf-8"],
        body: Array(
            """
            :root { color-scheme: light dark; --line: light-dark(#d8dbe0, #3a3d44); --quiet: light-dark(#5b6270, #a4aab6); }
            body { margin: 0; font: 16px/1.5 system-ui, sans-serif; background: light-dark(#f6f7f9, #17191d);
                   color: light-dark(#1c1f26, #e8eaee); }
            main { max-width: 44rem; margin: 0 auto; padding: 2rem 1rem; }
            h1 { font-size: 1.4rem; }
            article { border: 1px solid var(--line); border-radius: .6rem; padding: 1rem 1.2rem; margin: 1rem 0;
                      background: light-dark(#fff, #1f2227); }
            h2 { font-size: 1.05rem; margin: 0; }
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
