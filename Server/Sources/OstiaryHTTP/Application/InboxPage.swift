import OstiaryContracts

/// The development inbox at `/dev/inbox`: a page for a person, JSON for a program.
struct InboxPage {
    let inbox: any Inbox

    func answer(_ request: WireRequest) async -> ServerResponse {
        switch request.method {
        case "GET":
            let query = FormValues(request.query)
            guard !query.hasRepeats else { return RootResponder.plain(400, "malformed_request") }
            // No address contains a space: it was an unescaped plus.
            let recipient = query["to"]?.replacing(" ", with: "+")
            let messages = await inbox.messages(app: query["app"], to: recipient)
            let wantsJSON = request.headers["accept"]?.contains("application/json") == true
            return wantsJSON ? json(messages) : page(messages, PageLanguage.texts(for: request))
        case "DELETE":
            await inbox.empty()
            return ServerResponse(status: 204)
        default:
            return ServerResponse(status: 405, headers: ["allow": "DELETE, GET"])
        }
    }

    private func json(_ messages: [InboxMessage]) -> ServerResponse {
        let values = messages.map { message -> JSON in
            [
                "id": .string(message.id), "app": .string(message.app), "channel": .string(message.channel),
                "to": .string(message.to), "subject": message.subject.map { .string($0) } ?? .null,
                "text": .string(message.text), "code": message.code.map { .string($0) } ?? .null,
                "link": message.link.map { .string($0) } ?? .null, "sent_at": .string(message.sentAt),
            ]
        }
        return ServerResponse(
            status: 200, headers: ["content-type": "application/json; charset=utf-8"],
            body: (["messages": .array(values)] as JSON).bytes)
    }

    private func page(_ messages: [InboxMessage], _ texts: any PageTexts) -> ServerResponse {
        var view = PageView(
            language: texts.language, title: texts.inbox, styleSheet: StyleSheet.path, brand: "Ostiary", initial: "O",
            heading: texts.inbox)
        view.paragraphs = messages.isEmpty ? [texts.inboxIsEmpty] : []
        view.messages = messages.map { message in
            PageView.Message(
                subject: message.subject ?? texts.textMessage, origin: message.app, messageLanguage: message.language,
                subjectLanguage: message.subject.map { _ in message.language },
                recipient: texts.sent(to: message.to), sentAt: message.sentAt, code: message.code,
                messageLink: message.link.map {
                    PageView.MessageLink(messageURL: PageView.safe($0), messageLinkText: texts.openLink)
                }, body: message.text)
        }
        view.hasScript = false
        view.isWide = true
        return view.response(status: 200, policy: PagePolicy(hasScript: false, hasForms: false))
    }
}
