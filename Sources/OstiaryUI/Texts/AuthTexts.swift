public import Foundation
import OstiaryClient
public import OstiaryCore

/// The texts of the screens in one language, by ``TextKey`` or by error.
///
/// The texts match the server's own pages where both cover the same subject.
public struct AuthTexts: Hashable, Sendable {
    /// The primary subtag in lower case. Source: RFC 5646 §2.2.1.
    public let language: String
    private(set) var table: [TextKey: String]

    /// Creates texts from a table.
    ///
    /// - Parameters:
    ///   - language: The primary subtag of the language in lower case.
    ///   - table: The texts. A missing text is shown in English. `{name}` is a placeholder for a value: see
    ///     ``TextKey``.
    public init(language: String, _ table: [TextKey: String]) {
        self.language = language
        self.table = table
    }

    /// The built-in texts: English and German.
    public static let all = [english, german]

    /// The built-in texts in the language in which the app is shown; English if there are none in it.
    public static var preferred: AuthTexts { preferred(in: .main) }

    /// Returns the built-in texts in the language that the system chose among a bundle's localizations; English if
    /// there are none in it.
    ///
    /// An app without a German localization stays in one language on a German device.
    public static func preferred(in bundle: Bundle) -> AuthTexts { matching(bundle.preferredLocalizations) }

    /// Returns the built-in texts in the first language that has any; English if none has.
    ///
    /// - Parameter languages: Language tags in order of preference, for example `de-AT`. Source: RFC 5646 §2.1.
    public static func matching(_ languages: [String]) -> AuthTexts {
        for language in languages {
            let primary = language.split { $0 == "-" || $0 == "_" }.first.map { $0.lowercased() }
            if let texts = all.first(where: { $0.language == primary }) { return texts }
        }
        return english
    }

    /// Returns these texts with some replaced by the app's own.
    public func replacing(_ own: [TextKey: String]) -> AuthTexts {
        var texts = self
        texts.table.merge(own) { _, new in new }
        return texts
    }

    /// Returns the text of a key; in English if the language lacks it.
    ///
    /// - Parameter values: The values for the placeholders, by name without braces.
    public func callAsFunction(_ key: TextKey, _ values: [String: String] = [:]) -> String {
        let text = table[key] ?? Self.english.table[key] ?? key.rawValue
        return values.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) }
    }

    func wait(_ duration: Duration) -> String {
        switch PersonText.Waiting(duration) {
        case .oneSecond: self(.oneSecond)
        case .seconds(let count): self(.seconds, ["count": "\(count)"])
        case .minutes(let count): self(.minutes, ["count": "\(count)"])
        }
    }
}

extension AuthTexts {
    /// Returns the text for a problem with the value of a field.
    public func text(of problem: FieldProblem, in field: Field) -> String {
        switch problem {
        case .missing: return self(Self.missing[field] ?? .missing)
        case .tooShort(let limit), .tooLong(let limit):
            if field == .code { return self(.codeLength, ["limit": String(limit)]) }
            if field == .email { return self(.emailMalformed) }
            let key: TextKey = if case .tooShort = problem { .tooShort } else { .tooLong }
            return self(key, ["limit": String(limit)])
        case .tooCommon: return self(.tooCommon)
        case .compromised: return self(.compromised)
        case .containsIdentifier: return self(.containsIdentifier)
        case .notSupported where field == .phoneNumber: return self(.phoneNumberNotSupported)
        case .malformed, .mistyped, .notSupported, .tooMany, .readOnly, .unknown:
            return self(Self.malformed[field] ?? .malformed)
        }
    }

    private static let missing: [Field: TextKey] = [
        .password: .passwordMissing, .newPassword: .passwordMissing, .currentPassword: .passwordMissing,
        .email: .emailMissing, .phoneNumber: .phoneNumberMissing, .username: .usernameMissing, .code: .codeMissing,
    ]

    private static let malformed: [Field: TextKey] = [
        .email: .emailMalformed, .phoneNumber: .phoneNumberMalformed, .code: .codeMalformed,
    ]

    /// Returns a short rating of a password.
    public func text(of strength: PasswordStrength) -> String {
        TextKey(rawValue: "strength_\(strength.score)").map { self($0) } ?? ""
    }

    /// Returns the text for a weakness of a password.
    public func text(of reason: PasswordStrength.Reason) -> String {
        TextKey(rawValue: "strength_\(reason.rawValue)").map { self($0) } ?? ""
    }

    /// Returns the text of a notice.
    public func text(of notice: AuthNotice) -> String { TextKey(rawValue: notice.rawValue).map { self($0) } ?? "" }

    /// Returns the instruction for a step; `nil` where the screen itself gives it.
    public func text(of step: AuthStep) -> String? {
        switch step {
        case .start, .codeVerified, .challenge: nil
        case .codeSent: self(.codeSent)
        case .confirmationSent: self(.confirmationSent)
        case .resetSent: self(.resetSent)
        case .passwordReset: self(.passwordReset)
        }
    }
}
