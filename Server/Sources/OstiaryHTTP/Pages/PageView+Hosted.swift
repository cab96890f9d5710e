import OstiaryContracts
import OstiaryCore
import OstiaryEngine

extension PageView {
    /// The view of a page in one language.
    ///
    /// - Parameter token: The token in its forms; see ``FormGuard``.
    init(_ page: HostedPage, in frame: Branding, texts: any PageTexts, token: String?) {
        self.init(frame, texts: texts, heading: "")
        switch page {
        case .signIn(let page):
            heading = texts.signIn
            lead = page.client.map(texts.continueTo)
            var password = Field.password(texts, label: texts.password)
            password.aside = page.forgotPassword.map {
                Field.LabelLink(asideURL: Self.safe($0.url), asideText: texts.forgotPassword)
            }
            form = Form(page.form, token, texts.signIn)
            form?.fields = [
                .email(texts, value: page.email, autocomplete: page.passkey == nil ? "username" : "username webauthn"),
                password,
            ]
            form?.work = page.proofOfWork.map { Work(workChallenge: $0.challenge, workBits: $0.bits) }
            passkey = page.passkey.map { Passkey($0, texts, token, button: texts.signInWithPasskey) }
            links =
                page.register.map { [Link(question: texts.isNew, url: Self.safe($0.url), linkText: texts.register)] }
                ?? []
            if let deviceLink = page.deviceLink {
                links.insert(
                    Link(question: texts.isNewDevice, url: Self.safe(deviceLink.url), linkText: texts.sendDeviceLink),
                    at: 0)
            }
            refuse(
                page.problem, texts,
                text: page.isPasskeyRefused ? page.problem.map(texts.text(ofPasskey:)) : nil)
        case .register(let page):
            heading = texts.register
            lead = page.client.map(texts.continueTo)
            form = Form(page.form, token, texts.register)
            form?.fields = [
                .fullName(texts, value: page.fullName), .email(texts, value: page.email, autocomplete: "email"),
                .password(texts, label: texts.password, minimum: page.minimumPasswordLength),
            ]
            links =
                page.signIn.map { [Link(question: texts.isKnown, url: Self.safe($0.url), linkText: texts.signIn)] }
                ?? []
            refuse(page.problem, texts)
        case .registrationSent(let signIn):
            end(texts.registrationSent)
            offer(signIn, texts.backToSignIn)
        case .forgotPassword(let page):
            heading = texts.resetRequest
            paragraphs = [texts.resetRequestLead]
            form = Form(page.form, token, texts.sendLink)
            form?.fields = [.email(texts, value: page.email, autocomplete: "username")]
            offer(page.signIn, texts.backToSignIn)
            refuse(page.problem, texts)
        case .forgotPasswordSent(let signIn):
            end(texts.resetSent)
            offer(signIn, texts.backToSignIn)
        case .resetPassword(let form, let minimum, let problem):
            heading = texts.resetPassword
            self.form = Form(form, token, texts.savePassword)
            self.form?.fields = [.password(texts, label: texts.newPassword, minimum: minimum)]
            refuse(problem, texts)
        case .passwordChanged(let signIn):
            finish(texts.passwordChanged(signingInHere: signIn != nil), signIn, texts.signIn)
        case .finishRegistration(let form, let problem):
            heading = texts.finishRegistration
            paragraphs = [texts.finishRegistrationLead]
            self.form = Form(form, token, texts.finishRegistration)
            self.form?.fields = [.password(texts, label: texts.chosenPassword)]
            refuse(problem, texts)
        case .finishRegistrationInApp:
            heading = texts.finishRegistration
            paragraphs = texts.finishRegistrationInApp
        case .registrationConfirmed(let signIn):
            finish(texts.registrationConfirmed(signingInHere: signIn != nil), signIn, texts.signIn)
        case .linkOver(let link, let renewal):
            end(texts.linkOver(link, renewedHere: renewal != nil))
            drawing = .problem
            offer(renewal, texts.renew(link), isMain: true)
        case .denySignIn(let form, let time):
            end(texts.denySignIn(at: time))
            self.form = Form(form, token, texts.signOutAndReset)
        case .signInDenied(let isResetSent): finish(texts.signInDenied(isResetSent: isResetSent), nil, "")
        case .denialLinkOver:
            end(texts.denialLinkOver)
            drawing = .problem
        case .undoFactorChange(let form, let change):
            end(texts.undoFactorChange(change))
            self.form = Form(form, token, texts.undoAndSignOut)
        case .factorChangeUndone(let change, let outcome):
            end(texts.factorChangeUndone(change, outcome))
            drawing = outcome == .undone ? .done : nil
        case .undoLinkOver:
            end(texts.undoLinkOver)
            drawing = .problem
        case .deviceLinkRequest(let page):
            heading = texts.sendDeviceLink
            paragraphs = [texts.deviceLinkLead]
            form = Form(page.form, token, texts.sendLink)
            form?.fields = [.email(texts, value: page.email, autocomplete: "username")]
            offer(page.signIn, texts.backToSignIn)
            refuse(page.problem, texts)
        case .deviceLinkSent(let signIn):
            end(texts.deviceLinkSent)
            offer(signIn, texts.backToSignIn)
        case .recognizeDevice(let form):
            heading = texts.recognizeDevice
            paragraphs = [texts.recognizeDeviceLead]
            self.form = Form(form, token, texts.recognizeDevice)
        case .deviceRecognized(let signIn): finish(texts.deviceRecognized, signIn, texts.signIn)
        case .recognizeDeviceInApp:
            heading = texts.recognizeDevice
            paragraphs = [texts.recognizeDeviceInApp]
        case .deviceLinkOver(let renewal):
            end(texts.deviceLinkOver(renewedHere: renewal != nil))
            drawing = .problem
            offer(renewal, texts.renew(.passwordReset), isMain: true)
        case .passkeyRecoveryWaits(let opensAt): end(texts.passkeyRecoveryWaits(until: opensAt))
        case .passkeyRecoveryInApp:
            heading = texts.addPasskey
            paragraphs = [texts.passkeyRecoveryInApp]
        case .passkeyRecovered: finish(texts.passkeyRecovered, nil, "")
        case .recoveryLinkOver:
            end(texts.recoveryLinkOver)
            drawing = .problem
        case .chooseProvider(let choices):
            heading = texts.chooseProvider
            menu = Menu(choices: choices.map { Choice($0, texts) })
        case .consent(let page):
            heading = page.isConfirmation ? texts.clientSignInHeading : texts.consentHeading
            lead =
                page.isConfirmation
                ? texts.clientSignIn(to: page.client) : texts.consent(to: page.client, for: page.wishes)
            person = Person(
                words: texts.signedIn(as: page.person), otherURL: page.anotherAccount.map { Self.safe($0.url) },
                otherText: texts.useAnotherAccount)
            let agree = page.isConfirmation ? texts.next : texts.allow
            form = Form(page.form, token, agree)
            form?.buttons = [
                Button(buttonText: agree, decision: "allow"),
                Button(buttonText: texts.deny, decision: "deny", isQuiet: true),
            ]
            form?.note = page.isConfirmation ? texts.clientSignInNote : texts.consentNote
        case .confirmSignOut(let form):
            heading = texts.confirmSignOut
            paragraphs = [texts.confirmSignOutLead]
            self.form = Form(form, token, texts.signOut)
        case .signedOut(let next): finish(texts.signedOut, next, next.map { texts.continueTo(to: $0.title) } ?? "")
        case .challenge(let page): show(page, texts, token: token)
        case .challengeOver(let signIn):
            end(texts.challengeOver)
            drawing = .problem
            offer(signIn, texts.signInAgain, isMain: true)
        case .enrolment(let page): show(page, texts, token: token)
        case .authenticatorIntroduction(let form, let account):
            heading = texts.addAuthenticator
            paragraphs = texts.authenticatorIntroduction
            self.form = Form(form, token, texts.next)
            offer(account, texts.backToAccount)
        case .newAuthenticator(let page): show(page, texts, token: token)
        case .newPasskey(let page, let account): show(page, account: account, texts, token: token)
        case .recoveryCodes(let page): show(page, texts)
        case .factorAdded(let method, let next): finish(texts.added(method), next, texts.next)
        case .recoveryCodeReplacement(let form, let left, let account):
            heading = texts.replaceRecoveryCodes
            paragraphs = texts.recoveryCodeReplacementLead(left: left)
            self.form = Form(form, token, texts.replaceRecoveryCodes)
            offer(account, texts.backToAccount)
        case .account(let page): show(page, texts, token: token)
        case .factors(let factors, let account):
            heading = texts.account
            isWide = true
            sections = [Self.section(factors, texts)]
            offer(account, texts.backToAccount)
        case .nameChange(let page): show(page, texts, token: token)
        case .passwordChange(let page): show(page, texts, token: token)
        case .passwordReplaced(let account): finish(texts.passwordReplaced, account, texts.backToAccount)
        case .factorChange(let page): show(page, texts, token: token)
        case .mockSignIn(let page):
            heading = texts.mockSignInHeading(page.provider)
            lead = texts.mockSignIn(for: page.provider)
            form = Form(page.form, token, texts.signIn)
            form?.fields = [
                .email(texts, value: page.email, autocomplete: "email"), .fullName(texts, value: page.fullName),
            ]
            refuse(page.problem, texts)
        case .problem(let problem):
            end(texts.outcome(of: problem))
            drawing = .problem
            if case .providerAway(_, let choice) = problem { offer(choice, texts.chooseAnotherProvider) }
        }
        // Screen readers announce the title first.
        let warning = notice == nil ? "" : "\(texts.error): "
        title = "\(warning)\(heading) · \(frame.name)"
    }

    /// Creates a page with the branding and without content.
    init(_ frame: Branding, texts: any PageTexts, heading: String) {
        self.init(
            language: texts.language, title: "\(heading) · \(frame.name)", styleSheet: StyleSheet.path(for: frame),
            brand: frame.name, initial: frame.name.first.map { $0.uppercased() } ?? "", heading: heading)
        if frame.isDevelopment {
            development = Development(developmentText: texts.developmentServer, inboxText: texts.sentMessages)
        }
    }

    /// Reports a refusal of the page's form.
    ///
    /// - Parameters:
    ///   - text: What happened and what to do next; nil for the usual text.
    ///   - culprit: The id of the field that it is about; nil for the usual one.
    mutating func refuse(
        _ problem: AuthError?, _ texts: any PageTexts, text: String? = nil, at culprit: String? = nil
    ) {
        let text = text ?? problem.map(texts.text)
        form?.settle(
            problem.flatMap { culprit ?? Field.id(for: $0) }, text, isRefused: problem != nil)
        guard let text else { return }
        let field = form?.fields.first { $0.complaint != nil }
        // Where a field shows the reason, the notice only links to it.
        notice = Notice(
            noticeHeading: texts.problemHeading, noticeText: field.map { texts.check($0.label) } ?? text,
            target: field?.id)
    }

    private mutating func end(_ outcome: Outcome) {
        heading = outcome.heading
        paragraphs = outcome.paragraphs
    }

    mutating func finish(_ outcome: Outcome, _ next: HostedPage.Link?, _ button: String) {
        end(outcome)
        drawing = .done
        offer(next, button, isMain: true)
    }

    mutating func offer(_ link: HostedPage.Link?, _ text: String, isMain: Bool = false) {
        links = link.map { [Link(url: Self.safe($0.url), linkText: text, isMain: isMain)] } ?? []
    }

    /// Returns a URL that only navigates, or `#`: a link never makes the browser execute content.
    static func safe(_ url: String) -> String {
        let isRelative = url.utf8.first.map { "/?#.".utf8.contains($0) } ?? true
        return isRelative || URIScheme(of: url) != nil ? url : "#"
    }
}

extension PageView.Form {
    init(_ form: PageForm, _ token: String?, _ button: String) {
        self.init(
            action: form.action, hidden: PageView.Hidden.all(of: form, token),
            buttons: [PageView.Button(buttonText: button)])
    }
}

extension PageView.Choice {
    fileprivate init(_ choice: HostedPage.Choice, _ texts: any PageTexts) {
        let brand = HostedPage.Brand(rawValue: choice.kind)
        self.init(
            choiceURL: PageView.safe(choice.url), choiceText: texts.button(for: brand, title: choice.title),
            style: brand?.rawValue ?? "plain", picture: brand.map(BrandMark.picture))
    }
}
