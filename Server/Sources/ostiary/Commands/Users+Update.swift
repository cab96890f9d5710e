import ArgumentParser
import OstiaryCore

extension Users {
    /// Values of attributes that an app's configuration declares.
    struct AttributeOptions: ParsableArguments {
        @Option(
            name: .customLong("set"), parsing: .singleValue,
            help: ArgumentHelp(
                "An attribute: NAME=VALUE. Texts of a list are separated by commas. May be repeated.",
                valueName: "attribute"))
        var set: [String] = []

        /// The texts by name.
        var values: [String: String] { Self.values(of: set) }

        func validate() throws {
            guard Self.values(of: set).count == set.count else {
                throw ValidationError("--set needs NAME=VALUE, and each name once.")
            }
        }

        private static func values(of settings: [String]) -> [String: String] {
            var values: [String: String] = [:]
            for setting in settings {
                let parts = setting.utf8.split(
                    separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2, AttributeDefinition.isName(Substring(parts[0])) else { continue }
                values[String(Substring(parts[0]))] = String(Substring(parts[1]))
            }
            return values
        }
    }

    struct Update: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "update", abstract: "Changes an account's name and attributes.",
            discussion: """
                The app's configuration declares the attributes. Those that the command does not name keep their values.

                Example:
                  ostiary users update --app vici ann@example.com --name "Ann Example" --set plan=pro --unset trial_ends_at
                """)

        @OptionGroup var choice: Choice

        @Option(help: "The person's name.") var name: String?

        @OptionGroup var attributes: AttributeOptions

        @Option(
            parsing: .singleValue,
            help: ArgumentHelp("An attribute to remove. May be repeated.", valueName: "name"))
        var unset: [String] = []

        @Flag(help: "Print the account as JSON.") var json = false

        func validate() throws {
            guard name != nil || !attributes.set.isEmpty || !unset.isEmpty else {
                throw ValidationError("One of --name, --set and --unset is needed.")
            }
        }

        func run() async throws {
            let json = json
            let command = ControlCommand.updateAccount(
                choice.who, fullName: name, attributes: attributes.values, removing: unset)
            try await choice.administer(command) { account in
                try StandardOutput.write(json ? try JSONList.line(account) + "\n" : "updated \(account.label)\n")
            }
        }
    }
}

extension AttributeValue {
    /// The value as ``Users/AttributeOptions`` takes it.
    var text: String {
        switch self {
        case .string(let text): text
        case .integer(let integer): String(integer)
        case .number(let number): String(number)
        case .boolean(let flag): String(flag)
        case .stringList(let texts): texts.joined(separator: ",")
        }
    }
}
