import OstiaryCore

/// Which passwords a test server takes: as the real one, but of the passwords that everybody has it knows only these.
enum TestPasswordRules {
    private static let common: Set<String> = [
        "password", "password1", "password123", "passw0rd", "iloveyou", "sunshine", "princess", "football", "baseball",
        "qwertyui", "qwerty123", "1q2w3e4r", "letmein1", "welcome1", "trustno1", "superman", "11111111", "00000000",
    ]

    /// - Returns: Nil if nothing is wrong.
    static func problem(with password: Secret<String>, own names: [String]) -> FieldProblem? {
        let text = password.reveal()
        if text.utf8.contains(0) { return .malformed }
        if text.unicodeScalars.count < 8 { return .tooShort(minimum: 8) }
        if text.utf8.count > 72 { return .tooLong(maximum: 72) }
        let folded = text.lowercased()
        if common.contains(folded) || isRun(folded) { return .tooCommon }
        let bare = String(folded.reversed().drop { $0.isNumber }.reversed())
        let names = names.map { $0.lowercased() } + ["ostiary"]
        return names.contains(folded) || names.contains(bare) ? .containsIdentifier : nil
    }

    /// Letters or digits that count up or down: `abcdefgh`, `87654321`.
    private static func isRun(_ text: String) -> Bool {
        let values = text.unicodeScalars.map { Int($0.value) }
        guard values.count > 1, abs(values[1] - values[0]) == 1, text.allSatisfy({ $0.isLetter || $0.isNumber }) else {
            return false
        }
        return zip(values.dropFirst(), values).allSatisfy { $0 - $1 == values[1] - values[0] }
    }

    /// What a person is called: what their password may not be.
    static func names(
        _ app: String, _ email: EmailAddress?, _ username: Username?, _ phoneNumber: PhoneNumber?,
        _ fullName: PersonName?
    ) -> [String] {
        let addresses = [email?.text, username?.text].compactMap(\.self)
        let numbers = [phoneNumber?.e164, phoneNumber.map { String($0.e164.dropFirst()) }].compactMap(\.self)
        return [app] + addresses.flatMap { [$0, String($0.prefix { $0 != "@" })] } + numbers
            + [fullName?.text].compactMap(\.self)
    }
}
