import OstiaryCore

extension PageView {
    mutating func show(_ page: HostedPage.Account, _ texts: any PageTexts, token: String?) {
        heading = texts.account
        lead = texts.signedIn(as: page.fullName ?? page.email)
        isWide = true
        var profile = [
            Row(
                rowTitle: page.fullName ?? texts.fullName,
                rowLink: RowLink(
                    rowURL: Self.safe(page.name.url), rowLinkText: texts.change, rowLinkName: texts.changeName))
        ]
        if let email = page.email { profile.append(Row(rowTitle: email)) }
        if let password = page.password {
            profile.append(
                Row(
                    rowTitle: texts.password,
                    rowLink: RowLink(
                        rowURL: Self.safe(password.url), rowLinkText: texts.change, rowLinkName: texts.changePassword)))
        }
        sections = [Section(texts.profile, profile)]
        if let factors = page.factors { sections.append(Self.section(factors, texts)) }
        sections.append(Section(texts.sessions, page.sessions.map { Self.row($0, texts, token) }))
        sections.append(
            Section(
                texts.recognizedDevices, note: page.devices.isEmpty ? texts.noRecognizedDevices : nil,
                page.devices.map { Self.row($0, texts, token) }))
        sections.append(
            Section(
                texts.connectedApps, note: page.apps.isEmpty ? texts.noApps : nil,
                page.apps.map { Self.row($0, texts, token) }))
        form = nil
        choice = ChoiceForm(
            choiceAction: page.signOut.action, choiceHidden: Hidden.all(of: page.signOut, token),
            choiceButtons: [ChoiceButton(choiceName: "decision", choiceValue: "sign-out", choiceText: texts.signOut)])
    }

    static func section(_ factors: HostedPage.Account.Factors, _ texts: any PageTexts) -> Section {
        var rows = factors.entries.map { factor in
            Row(
                rowTitle: factor.name, badge: texts.name(of: factor.method),
                rowNotes: [
                    Note(factor.createdAt, texts.addedAt),
                    factor.lastUsedAt.map { Note($0, texts.lastUsedAt) } ?? Note(texts.notUsedYet),
                ],
                rowLink: RowLink(
                    rowURL: safe(factor.url), rowLinkText: texts.manage, rowLinkName: texts.manage(factor.name)))
        }
        if !rows.isEmpty {
            rows.append(
                Row(
                    rowTitle: texts.recoveryCodes(left: factors.recoveryCodesLeft),
                    rowLink: RowLink(
                        rowURL: safe(factors.recoveryCodes.url), rowLinkText: texts.replace,
                        rowLinkName: texts.replaceRecoveryCodesName)))
        }
        return Section(
            texts.secondFactors, note: factors.entries.isEmpty ? texts.noFactors : nil, rows,
            links: factors.additions.map { addition in
                SectionLink(
                    sectionURL: safe(addition.url),
                    sectionLinkText: addition.method == .passkey ? texts.addPasskey : texts.addAuthenticator)
            })
    }

    private static func row(
        _ session: HostedPage.Account.Session, _ texts: any PageTexts, _ token: String?
    ) -> Row {
        let device = texts.device(session.device)
        return Row(
            rowTitle: device, badge: session.end == nil ? texts.thisBrowser : nil,
            rowNotes: [
                Note(session.createdAt, texts.signedInAt), Note(session.lastUsedAt, texts.lastUsedAt),
                session.address.map { address in Note(session.country.map { "\(address) (\($0))" } ?? address) },
            ].compactMap(\.self),
            rowForm: session.end.map { end in
                RowForm(
                    rowAction: end.action, rowHidden: Hidden.all(of: end, token), rowButtonText: texts.endSession,
                    rowButtonName: texts.endSession(of: device))
            })
    }

    private static func row(
        _ recognized: HostedPage.Account.Device, _ texts: any PageTexts, _ token: String?
    ) -> Row {
        let device = texts.device(recognized.device)
        return Row(
            rowTitle: device, badge: recognized.isCurrent ? texts.thisBrowser : nil,
            rowNotes: [
                Note(recognized.lastUsedAt, texts.signedInAt),
                recognized.rememberedUntil.map { Note($0, texts.rememberedUntil) },
                recognized.address.map { Note($0) },
            ].compactMap(\.self),
            rowForm: RowForm(
                rowAction: recognized.forget.action, rowHidden: Hidden.all(of: recognized.forget, token),
                rowButtonText: texts.forgetDevice, rowButtonName: texts.forgetDevice(device)))
    }

    private static func row(_ app: HostedPage.Account.App, _ texts: any PageTexts, _ token: String?) -> Row {
        Row(
            rowTitle: app.name,
            rowNotes: [
                Note(texts.knows(app.wishes)), Note(app.since, texts.connectedSince),
                Note(app.lastUsedAt, texts.lastUsedAt),
            ],
            rowForm: RowForm(
                rowAction: app.disconnect.action, rowHidden: Hidden.all(of: app.disconnect, token),
                rowButtonText: texts.disconnect, rowButtonName: texts.disconnect(app.name)))
    }

    mutating func show(_ page: HostedPage.NameChange, _ texts: any PageTexts, token: String?) {
        heading = texts.changeName
        form = Form(page.form, token, texts.save)
        form?.fields = [.fullName(texts, value: page.fullName)]
        refuse(page.problem, texts)
        offer(page.account, texts.backToAccount)
    }

    mutating func show(_ page: HostedPage.PasswordChange, _ texts: any PageTexts, token: String?) {
        heading = texts.changePassword
        paragraphs = [texts.passwordNote]
        form = Form(page.form, token, texts.savePassword)
        var current = Field.password(texts, label: texts.currentPassword)
        current.id = "current_password"
        form?.fields = [current, .password(texts, label: texts.newPassword, minimum: page.minimumPasswordLength)]
        if case .wrongCredentials? = page.problem {
            refuse(
                page.problem, texts, text: page.problem.map { texts.text(of: $0, answeringBy: .password) },
                at: current.id)
        } else {
            refuse(page.problem, texts)
        }
        offer(page.account, texts.backToAccount)
    }

    mutating func show(_ page: HostedPage.FactorChange, _ texts: any PageTexts, token: String?) {
        heading = texts.changeFactor
        lead = Phrase(before: "\(texts.name(of: page.method)): ", name: page.name)
        form = Form(page.form, token, texts.save)
        form?.buttons[0].decision = "rename"
        form?.fields = [.factorName(texts, value: page.name)]
        choice = ChoiceForm(
            choiceAction: page.form.action, choiceHidden: Hidden.all(of: page.form, token),
            choiceHeading: texts.remove, choiceNote: texts.removalNote(isLast: page.isLast),
            choiceButtons: [
                ChoiceButton(
                    choiceName: "decision", choiceValue: "remove", choiceText: texts.remove, choiceStyle: "danger")
            ])
        if page.isLast, page.isRequired {
            choice = nil
            paragraphs = [texts.text(of: .factorRequired)]
        }
        refuse(page.problem, texts)
        offer(page.account, texts.backToAccount)
    }
}
