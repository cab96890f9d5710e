public import Foundation
import OstiaryClient
public import OstiaryCore

/// What screens say, in one language: codes go in, sentences for people come out.
///
/// The words are those of the server's own pages, wherever both speak of the same.
public struct AuthTexts: Hashable, Sendable {
    /// The primary subtag in lower case. Source: RFC 5646 §2.2.1.
    public let language: String
    private(set) var table: [TextKey: String]

    /// - Parameter table: What is missing is said in English. `{name}` stands for a value: see ``TextKey``.
    public init(language: String, _ table: [TextKey: String]) {
        self.language = language
        self.table = table
    }

    public static let all = [english, german]

    /// The built-in texts in the language in which the app is shown; English if there are none in it.
    public static var preferred: AuthTexts { preferred(in: .main) }

    /// The built-in texts in the language that the system chose among a bundle's localizations; English if there are none in
    /// it.
    ///
    /// An app without a German localization stays in one language on a German device.
    public static func preferred(in bundle: Bundle) -> AuthTexts { matching(bundle.preferredLocalizations) }

    /// - Parameter languages: The best first, for example `de-AT`. Source: RFC 5646 §2.1.
    public static func matching(_ languages: [String]) -> AuthTexts {
        for language in languages {
            let primary = language.split { $0 == "-" || $0 == "_" }.first.map { $0.lowercased() }
            if let texts = all.first(where: { $0.language == primary }) { return texts }
        }
        return english
    }

    /// The same with an app's own words in some places.
    public func replacing(_ own: [TextKey: String]) -> AuthTexts {
        var texts = self
        texts.table.merge(own) { _, new in new }
        return texts
    }

    /// - Parameter values: What stands for `{name}` in the text.
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
    /// What is wrong at a field.
    public func text(of problem: FieldProblem, in field: Field) -> String {
        switch problem {
        case .missing: return self(Self.missing[field] ?? .missing)
        case .tooShort(let limit), .tooLong(let limit):
            if field == .code { return self(.codeLength, ["limit": String(limit)]) }
            if field == .email { return self(.emailMalformed) }
            let key: TextKey = if case .tooShort = problem { .tooShort } else { .tooLong }
            return self(key, ["limit": String(limit)])
        case .tooCommon: return self(.tooCommon)
        case .containsIdentifier: return self(.containsIdentifier)
        case .notSupported where field == .phoneNumber: return self(.phoneNumberNotSupported)
        case .malformed, .mistyped, .notSupported: return self(Self.malformed[field] ?? .malformed)
        }
    }

    private static let missing: [Field: TextKey] = [
        .password: .passwordMissing, .newPassword: .passwordMissing, .currentPassword: .passwordMissing,
        .email: .emailMissing, .phoneNumber: .phoneNumberMissing, .username: .usernameMissing, .code: .codeMissing,
    ]

    private static let malformed: [Field: TextKey] = [
        .email: .emailMalformed, .phoneNumber: .phoneNumberMalformed, .code: .codeMalformed,
    ]

    /// How strong a password is, in a word or three.
    public func text(of strength: PasswordStrength) -> String {
        TextKey(rawValue: "strength_\(strength.score)").map { self($0) } ?? ""
    }

    /// What makes a password weaker than it need be.
    public func text(of reason: PasswordStrength.Reason) -> String {
        TextKey(rawValue: "strength_\(reason.rawValue)").map { self($0) } ?? ""
    }

    public func text(of notice: AuthNotice) -> String { TextKey(rawValue: notice.rawValue).map { self($0) } ?? "" }

    /// What to do now; nil where the screen says it by itself.
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
