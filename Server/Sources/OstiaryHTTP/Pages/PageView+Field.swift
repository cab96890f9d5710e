import OstiaryCore

extension PageView {
    /// One field of a form.
    struct Field {
        var id: String
        var label: String
        var type: String
        var value = ""
        var autocomplete: String
        var inputMode: String?
        var minimum: Int?
        var hint: String?
        var complaint: String?
        var isFocused = false
        /// The texts that the script needs for the button that shows a password.
        var reveal: Reveal?
        var aside: LabelLink?

        /// The ids of the elements that describe the field.
        var describedBy: String? = nil

        struct Reveal {
            var revealShow: String
            var revealHide: String
            /// The button's accessible names, which contain its visible label. Source: WCAG 2.2 §2.5.3.
            var revealShowName: String
            var revealHideName: String
        }

        /// A link beside the label.
        struct LabelLink {
            var asideURL: String
            var asideText: String
        }
    }
}

extension PageView.Field {
    static func email(_ texts: any PageTexts, value: String, autocomplete: String) -> Self {
        Self(
            id: "email", label: texts.email, type: "email", value: value, autocomplete: autocomplete, inputMode: "email"
        )
    }

    static func fullName(_ texts: any PageTexts, value: String = "") -> Self {
        Self(id: "full_name", label: texts.fullName, type: "text", value: value, autocomplete: "name")
    }

    /// - Parameter minimum: The least number of characters; nil for an existing password.
    static func password(_ texts: any PageTexts, label: String, minimum: Int? = nil) -> Self {
        Self(
            id: "password", label: label, type: "password",
            autocomplete: minimum == nil ? "current-password" : "new-password", minimum: minimum,
            hint: minimum.map { texts.passwordRule(minimum: $0) },
            reveal: Reveal(
                revealShow: texts.show, revealHide: texts.hide, revealShowName: texts.showPassword,
                revealHideName: texts.hidePassword))
    }

    /// The field for the answer by a method of a challenge.
    static func answer(by method: ChallengeMethod, _ texts: any PageTexts) -> Self {
        guard method != .password else { return .password(texts, label: texts.password) }
        let isTyped = method == .recoveryCode
        return Self(
            id: "code", label: texts.label(of: method), type: "text",
            autocomplete: isTyped ? "off" : "one-time-code", inputMode: isTyped ? nil : "numeric")
    }

    static func factorName(_ texts: any PageTexts, value: String) -> Self {
        Self(id: "name", label: texts.factorName, type: "text", value: value, autocomplete: "off")
    }

    /// Returns the id of the field that a refusal is about; nil for none.
    static func id(for error: AuthError) -> String? {
        switch error {
        case .invalid(.email, _), .identifierTaken: "email"
        case .invalid(.password, _), .invalid(.newPassword, _): "password"
        case .invalid(.fullName, _): "full_name"
        case .invalid(.name, _): "name"
        case .invalid(.code, _), .invalid(.answers, _), .codeRefused: "code"
        default: nil
        }
    }
}

extension PageView.Form {
    /// Attaches the refusal to its field, links each field to its descriptions, and focuses the field that the person
    /// has to fill in.
    ///
    /// - Parameter culprit: The id of the field that the refusal is about; nil for none.
    mutating func settle(_ culprit: String?, _ text: String?, isRefused: Bool) {
        for index in fields.indices where fields[index].id == culprit { fields[index].complaint = text }
        let focus =
            fields.firstIndex { $0.complaint != nil } ?? fields.firstIndex { $0.value.isEmpty } ?? fields.indices.first
        for index in fields.indices {
            fields[index].isFocused = index == focus
            let ids = [
                // Screen readers do not announce an alert that loads with its page; they announce the focused element.
                !isRefused || index != focus ? nil : PageView.noticeID,
                fields[index].complaint.map { _ in "\(fields[index].id)-problem" },
                fields[index].hint.map { _ in "\(fields[index].id)-hint" },
            ].compactMap { $0 }
            fields[index].describedBy = ids.isEmpty ? nil : ids.joined(separator: " ")
        }
    }
}
