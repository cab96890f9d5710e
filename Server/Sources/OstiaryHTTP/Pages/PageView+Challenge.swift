import OstiaryCore

extension PageView {
    mutating func show(_ page: HostedPage.Challenge, _ texts: any PageTexts, token: String?) {
        heading = page.isStepUp ? texts.confirmPerson : texts.confirmSignIn
        lead = page.client.map(texts.continueTo)
        paragraphs = [texts.instruction(for: page.method, isSent: page.isSent)]
        var buttons: [ChoiceButton] = []
        if let prompt = page.passkey {
            passkey = Passkey(prompt, texts, token, button: texts.usePasskey)
            passkey?.passkeyForm?.check = page.remembering.map { Check($0, texts) }
        } else if page.mustSend {
            form = Form(page.form, token, texts.sendCode)
            form?.buttons[0].decision = "send"
        } else {
            form = Form(page.form, token, texts.next)
            form?.fields = [Field.answer(by: page.method, texts)]
            form?.check = page.remembering.map { Check($0, texts) }
            if page.isSentCode {
                buttons.append(
                    ChoiceButton(choiceName: "decision", choiceValue: "send", choiceText: texts.sendAnotherCode))
            }
        }
        let text = page.problem.map { texts.text(of: $0, answeringBy: page.method) }
        refuse(page.problem, texts, text: text, at: page.problem.flatMap { Self.field(of: $0, page.method) })
        buttons += page.others.map {
            ChoiceButton(choiceName: "switch", choiceValue: $0.rawValue, choiceText: texts.name(of: $0))
        }
        if page.canDecline {
            buttons.append(ChoiceButton(choiceName: "decision", choiceValue: "deny", choiceText: texts.deny))
        }
        offer(page.factors, texts.lostFactor)
        guard !buttons.isEmpty else { return }
        choice = ChoiceForm(
            choiceAction: page.form.action, choiceHidden: Hidden.all(of: page.form, token),
            choiceHeading: page.others.isEmpty ? nil : texts.otherWays, choiceButtons: buttons)
    }

    mutating func show(_ page: HostedPage.Enrolment, _ texts: any PageTexts, token: String?) {
        heading = texts.enrolment
        lead = texts.enrolmentLead(for: page.client)
        choice = ChoiceForm(
            choiceAction: page.form.action, choiceHidden: Hidden.all(of: page.form, token),
            choiceButtons: page.methods.map {
                ChoiceButton(
                    choiceName: "decision", choiceValue: $0.rawValue, choiceText: texts.name(of: $0),
                    choiceStyle: "main")
            } + [ChoiceButton(choiceName: "decision", choiceValue: "deny", choiceText: texts.deny)])
    }

    mutating func show(_ page: HostedPage.NewAuthenticator, _ texts: any PageTexts, token: String?) {
        heading = texts.addAuthenticator
        let uri = page.uri.reveal()
        let code = QRCode(uri)
        paragraphs = code == nil ? [] : [texts.scanCode]
        figure = Figure(
            picture: code.map { Figure.QR(qrSize: $0.size, qrPath: $0.path, qrLabel: texts.codeDescription) },
            keyLabel: texts.typeKey, key: Self.grouped(page.key.reveal()), keyURL: Self.safe(uri),
            keyLinkText: texts.openInAuthenticator, afterKey: texts.confirmAuthenticator)
        form = Form(page.form, token, texts.addAuthenticator)
        form?.fields = [
            Field.answer(by: .totp, texts), .factorName(texts, value: page.name ?? texts.authenticatorName),
        ]
        refuse(page.problem, texts, text: page.problem.map { texts.text(of: $0, answeringBy: .totp) })
    }

    mutating func show(
        _ page: HostedPage.NewPasskey, account: HostedPage.Link?, _ texts: any PageTexts, token: String?
    ) {
        heading = texts.addPasskey
        paragraphs = [texts.passkeyIntroduction]
        let name = page.name ?? texts.passkeyName
        let prompt = page.form.map {
            HostedPage.PasskeyPrompt.registration($0, options: page.options, name: name)
        }
        passkey = Passkey(prompt ?? .unavailable, texts, token, button: texts.createPasskey)
        if case .invalid(.name, _)? = page.problem {
            passkey?.passkeyForm?.passkeyName?.nameComplaint = page.problem.map(texts.text)
        }
        refuse(page.problem, texts, text: page.problem.map(texts.text(ofPasskey:)))
        offer(account, texts.backToAccount)
    }

    mutating func show(_ page: HostedPage.RecoveryCodes, _ texts: any PageTexts) {
        heading = texts.recoveryCodes
        paragraphs = texts.recoveryCodesLead(added: page.added)
        codes = CodeList(
            recoveryCodes: page.codes.map { $0.reveal() }, copyText: texts.copy, copiedText: texts.copied,
            printText: texts.print)
        offer(page.next, texts.recoveryCodesSaved, isMain: true)
    }

    /// Returns the id of the field that a refused answer was typed into; nil if the refusal is not about the answer.
    private static func field(of problem: AuthError, _ method: ChallengeMethod) -> String? {
        switch problem {
        case .codeRefused, .wrongCredentials, .invalid: method == .password ? "password" : "code"
        default: nil
        }
    }

    /// Returns a key in groups of four characters, as people read it aloud and type it.
    private static func grouped(_ key: String) -> String {
        let bytes = Array(key.utf8)
        return stride(from: 0, to: bytes.count, by: 4).map { start in
            String(decoding: bytes[start..<min(start + 4, bytes.count)], as: UTF8.self)
        }.joined(separator: " ")
    }
}

extension PageView.Check {
    fileprivate init(_ remembering: HostedPage.Challenge.Remembering, _ texts: any PageTexts) {
        self.init(
            checkName: Self.rememberDevice, checkLabel: texts.rememberBrowser(days: remembering.days),
            isChecked: remembering.isChosen)
    }
}

extension PageView.Hidden {
    /// Returns the hidden fields of a form, with the token that binds it to the browser.
    static func all(of form: PageForm, _ token: String?) -> [PageView.Hidden] {
        let token = token.map { [[FormGuard.field, $0]] } ?? []
        return (form.hidden + token).filter { $0.count == 2 }
            .map { PageView.Hidden(hiddenName: $0[0], hiddenValue: $0[1]) }
    }
}

extension PageView.Passkey {
    init(_ prompt: HostedPage.PasskeyPrompt, _ texts: any PageTexts, _ token: String?, button: String) {
        func form(_ ceremony: String, _ form: PageForm, _ options: String) -> PasskeyForm {
            PasskeyForm(
                ceremony: ceremony, passkeyAction: form.action,
                passkeyHidden: PageView.Hidden.all(of: form, token), optionsURL: options, passkeyButton: button,
                needsScript: texts.passkeyNeedsScript, unsupported: texts.passkeyUnsupported,
                cancelled: texts.passkeyCancelled, failed: texts.passkeyFailed, exists: texts.passkeyExists)
        }
        switch prompt {
        case .authentication(let page, let options, let offersAutofill):
            passkeyForm = form("get", page, options)
            passkeyForm?.offersAutofill = offersAutofill
            passkeyForm?.isDivided = offersAutofill
        case .registration(let page, let options, let name):
            passkeyForm = form("create", page, options)
            passkeyForm?.passkeyName = Name(nameLabel: texts.factorName, nameValue: name)
        case .unavailable: passkeyUnavailable = texts.passkeyUnavailable
        }
    }
}
