import OstiaryContracts

/// `/dev/inbox`: a page for a person, JSON for a program.
struct InboxPage {
    let inbox: any Inbox

    func answer(_ request: WireRequest, accept: String) async -> WireResponse {
        switch request.method {
        case "GET":
            let query = FormValues(request.query)
            // Nobody's address holds a space: it was a plus that somebody typed unescaped.
            let recipient = query["to"]?.replacing(" ", with: "+")
            let messages = await inbox.messages(app: query["app"], to: recipient)
            return accept.contains("application/json") ? json(messages) : page(messages)
        case "DELETE":
            await inbox.empty()
            return WireResponse(status: 204)
        default:
            return WireResponse(status: 405, headers: ["allow": "DELETE, GET"])
        }
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
            \(message.link.map { "<p><a href=\"\(HTML.escape($0))\">Open the link</a></p>" } ?? "")
            <pre>\(HTML.escape(message.text))</pre>
            </article>
            """
        }
        let empty = "<p class=\"empty\">Nothing was sent yet. Messages appear here instead of in anyone's mailbox.</p>"
        let content = rows.isEmpty ? empty : rows.joined(separator: "\n")
        return Page(title: "Development inbox", heading: "Development inbox", content: content).response()
    }
}
