public import OstiaryCore

/// A change of an account's identifiers, and of what is known of their ownership.
public struct IdentifierChange: Hashable, Sendable {
    /// The email address. Another address is unverified unless ``isEmailVerified`` is set.
    public var email: PatchValue<EmailAddress> = .unchanged
    /// The username.
    public var username: PatchValue<Username> = .unchanged
    /// The way a new username signs in.
    public var usernameUse = NewAccount.UsernameUse.anySpelling
    /// The phone number. Another number is unverified unless ``isPhoneNumberVerified`` is set.
    public var phoneNumber: PatchValue<PhoneNumber> = .unchanged
    /// The new value of ``Account/isEmailVerified``.
    public var isEmailVerified: Bool?
    /// The new value of ``Account/isPhoneNumberVerified``.
    public var isPhoneNumberVerified: Bool?
    /// The identity provider's account that is unlinked, which also ends every session of the account.
    public var unlinking: UnlinkedIdentity?
    /// The queued message that informs the account's owner, only if an identifier changes.
    public var notice: QueuedMessage?

    /// The provider's account that an account is unlinked from.
    public struct UnlinkedIdentity: Hashable, Sendable {
        /// The issuer; nil for an imported account without one.
        public var issuer: String?
        /// The provider's identifier of the person; nil for an imported account without one.
        public var subject: String?
        /// `true` if a passkey signs in to the app without anything else.
        public var passkeysSignIn: Bool
        /// `true` if this server verifies passwords.
        public var passwordsSignIn: Bool

        /// Creates it from its parts.
        public init(issuer: String?, subject: String?, passkeysSignIn: Bool, passwordsSignIn: Bool) {
            self.issuer = issuer
            self.subject = subject
            self.passkeysSignIn = passkeysSignIn
            self.passwordsSignIn = passwordsSignIn
        }
    }

    /// Creates a change that leaves everything as it is.
    public init() {}
}

extension AccountChange {
    /// Returns the account after the change. Decides the same in every store, within its transaction.
    ///
    /// - Parameter passkeys: The number of the account's passkeys.
    /// - Throws: ``StoreRefusal/identifierMissing``; ``StoreRefusal/lastWayIn``; ``StoreRefusal/overtaken`` if the identity
    ///   that is unlinked is not the account's, or the account has not the values that are expected.
    public func applied(to account: Account, passkeys: Int) throws(StoreRefusal) -> Account {
        guard expectedProfile.map({ $0 == EntityTag(profileOf: account) }) ?? true,
            expectedRoles.map({ $0 == EntityTag(rolesOf: account) }) ?? true
        else { throw .overtaken }
        var changed = account
        changed.assignments = assignments(after: account.assignments)
        changed.attributes = try attributes.applied(to: account.attributes)
        if removesFullName { changed.fullName = nil }
        if let fullName { changed.fullName = fullName }
        if let isActive { changed.isActive = isActive }
        if let identifiers { try identifiers.apply(to: &changed, passkeys: passkeys) }
        if account.isActive && !changed.isActive || !changed.hasSameIdentifiers(as: account) {
            changed.credentialVersion += 1
        }
        return changed
    }
}

extension IdentifierChange {
    fileprivate func apply(to account: inout Account, passkeys: Int) throws(StoreRefusal) {
        let before = account
        account.email = email.applied(to: before.email)
        account.username = username.applied(to: before.username)
        account.phoneNumber = phoneNumber.applied(to: before.phoneNumber)
        if account.email?.canonical.utf8.elementsEqual(before.email?.canonical.utf8 ?? "".utf8) != true {
            account.isEmailVerified = false
        }
        if account.phoneNumber != before.phoneNumber {
            account.isPhoneNumberVerified = account.phoneNumber == nil ? nil : false
        }
        if let isEmailVerified { account.isEmailVerified = isEmailVerified && account.email != nil }
        if let isPhoneNumberVerified, account.phoneNumber != nil {
            account.isPhoneNumberVerified = isPhoneNumberVerified
        }
        if let unlinking {
            let signsInByUsername = account.username != nil && usernameUse != .label
            try unlinking.apply(to: &account, passkeys: passkeys, signsInByUsername: signsInByUsername)
        }
        let isNamed = account.email != nil || account.username != nil || account.phoneNumber != nil
        guard isNamed || account.providerSubject != nil else { throw .identifierMissing }
    }
}

extension IdentifierChange.UnlinkedIdentity {
    fileprivate func apply(
        to account: inout Account, passkeys: Int, signsInByUsername: Bool
    ) throws(StoreRefusal) {
        guard account.provider != "local", isSame(account.providerSubject, subject),
            isSame(account.providerIssuer, issuer)
        else { throw .overtaken }
        let isNamed = account.email != nil || account.phoneNumber != nil || signsInByUsername
        let hasPassword = passwordsSignIn && account.passwordHash != nil && isNamed
        guard hasPassword || passkeysSignIn && passkeys > 0 else { throw .lastWayIn }
        (account.provider, account.providerIssuer, account.providerSubject) = ("local", nil, nil)
    }
}

extension Account {
    /// Returns `true` if both accounts have the same identifiers, byte for byte.
    public func hasSameIdentifiers(as other: Account) -> Bool {
        isSame(email?.text, other.email?.text) && isSame(username?.verbatim, other.username?.verbatim)
            && phoneNumber == other.phoneNumber && provider == other.provider
            && isSame(providerIssuer, other.providerIssuer) && isSame(providerSubject, other.providerSubject)
    }

    /// Returns `true` if the reset tokens and invitations of the account remain valid when a change makes it `other`.
    ///
    /// An account that is enabled loses them too: a request in progress may have added one after the account was disabled.
    public func keepsResetTokens(becoming other: Account) -> Bool {
        isActive == other.isActive && hasSameIdentifiers(as: other)
    }

    /// Returns `true` if the links and codes that were sent to the account remain valid when a change makes it `other`: it has the
    /// same addresses and the same state.
    ///
    /// An account that is enabled loses them too, as ``keepsResetTokens(becoming:)``.
    public func keepsSentLinks(becoming other: Account) -> Bool {
        isActive == other.isActive && isSame(email?.text, other.email?.text) && phoneNumber == other.phoneNumber
    }
}

/// Compares byte for byte: texts with canonically equivalent characters are equal in Swift.
private func isSame(_ one: String?, _ other: String?) -> Bool {
    switch (one, other) {
    case (nil, nil): true
    case (let one?, let other?): one.utf8.elementsEqual(other.utf8)
    default: false
    }
}

/// The names that an account gives up and takes when it changes, see ``NewAccount/usernameKey``.
public struct SignInNameChange: Hashable, Sendable {
    /// Names of the account that become free.
    public var dropped: [String] = []
    /// Names that the account must have afterwards.
    public var taken: [String] = []
    /// The one of ``taken`` that is taken from a provider's account without a password too: it is an email.
    public var email: String?
    /// Names that the account gets unless another account has them.
    public var takenIfFree: [String] = []
    /// Names that no other account may have.
    public var foreign: [String] = []

    /// Computes the change.
    ///
    /// - Parameter owned: The names that the account has before.
    public init(from before: Account, to after: Account, by change: IdentifierChange?, owned: [String]) {
        guard let change, !after.hasSameIdentifiers(as: before) else { return }
        func owns(_ name: String) -> Bool { owned.contains { $0.utf8.elementsEqual(name.utf8) } }
        var kept: [String] = []
        if let username = change.username.value {
            let key: String?
            switch change.usernameUse {
            case .anySpelling:
                key = username.canonical
                foreign += [username.exactKey, "\u{1}\(username.text)"]
            case .exactSpelling: key = username.exactKey
            case .label: key = nil
            }
            if let key { taken.append(key) }
        } else if let username = after.username, change.usernameUse != .label {
            kept += username.lookupKeys.filter(owns)
        }
        if after.signsInByEmail, let new = after.email {
            let key = new.canonical
            let isUsernames = taken.contains { $0.utf8.elementsEqual(key.utf8) }
            if after.provider == "local" {
                if !owns(key) { foreign.append("\u{1}\(new.text)") }
                if !isUsernames {
                    taken.append(key)
                    email = key
                }
            } else if !isUsernames {
                takenIfFree.append(key)
            }
        }
        let all = kept + taken + takenIfFree
        dropped = owned.filter { name in !all.contains { $0.utf8.elementsEqual(name.utf8) } }
        taken.removeAll(where: owns)
        takenIfFree.removeAll(where: owns)
        if let email, owns(email) { self.email = nil }
    }
}
