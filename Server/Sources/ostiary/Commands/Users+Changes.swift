import ArgumentParser
import Foundation
import OstiaryCore
import OstiaryEngine

extension Users {
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create", abstract: "Creates an account.",
            discussion: """
                On a terminal the command asks for the password; an empty answer creates an account without one, whose \
                owner sets one through a reset. A run without a terminal and without --password-stdin does the same.

                Example:
                  ostiary users create --app vici --email ann@example.com --name "Ann Example" --role admin
                """)

        @OptionGroup var options: AppOptions

        @Option(help: "The email address.") var email: String?

        @Option(help: "The username.") var username: String?

        @Option(help: ArgumentHelp("The phone number, in international form.", valueName: "number"))
        var phone: String?

        @Option(help: "The person's name.") var name: String?

        @Option(parsing: .singleValue, help: "A role: ROLE, or ROLE@SCOPE. May be repeated.") var role: [String] = []

        @OptionGroup var attributes: AttributeOptions

        @Flag(help: "Read the password from standard input.") var passwordStdin = false

        @Flag(help: "Print the account as JSON.") var json = false

        func validate() throws {
            guard email != nil || username != nil || phone != nil else {
                throw ValidationError("One of --email, --username and --phone is needed.")
            }
        }

        func run() async throws {
            var record = AccountRecord()
            (record.email, record.username, record.phoneNumber, record.fullName) = (email, username, phone, name)
            record.roles = role
            let (app, json, new, values) = (options.app, json, record, attributes.values)
            try await StoreOptions.exiting {
                let password = try await password()
                try await options.administer(makingStore: true) { control in
                    let account = try await control.perform(
                        .createAccount(new, attributes: values, password: password), app: app
                    ).account
                    try StandardOutput.write(json ? try JSONList.line(account) + "\n" : "created \(account.label)\n")
                }
                if password == nil { printError("the account has no password yet") }
            }
        }

        private func password() async throws -> NewPassword? {
            if passwordStdin { return NewPassword(try await blocking { try PasswordPrompt.readStandardInput() }) }
            guard PasswordPrompt.canAsk else { return nil }
            return try await blocking { try PasswordPrompt.askTwice("Password (empty for none)") }
                .map { NewPassword($0) }
        }
    }

    struct SetPassword: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set-password", abstract: "Sets an account's password and ends its sessions.",
            discussion: """
                Asks for the password twice, on a terminal.

                Example:
                  ostiary users set-password --app vici ann@example.com
                  pass show ann | ostiary users set-password --app vici ann@example.com --password-stdin
                """)

        @OptionGroup var choice: Choice

        @Flag(help: "Read the password from standard input.") var passwordStdin = false

        func run() async throws {
            try await StoreOptions.exiting {
                let password = try await blocking { [passwordStdin] in
                    passwordStdin
                        ? try PasswordPrompt.readStandardInput() : try PasswordPrompt.askTwice("New password")
                }
                guard let password else { throw AdministrationProblem("no password was typed; nothing has changed") }
                try await choice.administer(.setPassword(NewPassword(password), of: choice.who)) { account in
                    try StandardOutput.write("password set: \(account.label)\n")
                }
            }
        }
    }

    struct Disable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "disable", abstract: "Disables an account and ends its sessions.",
            discussion: "Example:\n  ostiary users disable --app vici ann@example.com")

        @OptionGroup var choice: Choice

        @Flag(help: ArgumentHelp("Asks nothing anyway.", visibility: .hidden)) var yes = false

        func run() async throws {
            try await choice.administer(.setActive(false, choice.who)) { account in
                try StandardOutput.write("disabled \(account.label)\n")
            }
        }
    }

    struct Enable: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "enable", abstract: "Enables an account that was disabled.",
            discussion: "Example:\n  ostiary users enable --app vici ann@example.com")

        @OptionGroup var choice: Choice

        @Flag(help: ArgumentHelp("Asks nothing anyway.", visibility: .hidden)) var yes = false

        func run() async throws {
            try await choice.administer(.setActive(true, choice.who)) { account in
                try StandardOutput.write("enabled \(account.label)\n")
            }
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Deletes an account with its sessions.",
            discussion: "Example:\n  ostiary users delete --app vici ann@example.com --yes")

        @OptionGroup var choice: Choice

        @Flag(help: "Do not ask for confirmation.") var yes = false

        func run() async throws {
            try await StoreOptions.exiting {
                if !yes { try await confirm() }
                try await choice.administer(.deleteAccount(choice.who)) { account in
                    try StandardOutput.write("deleted \(account.label)\n")
                }
            }
        }

        private func confirm() async throws {
            guard PasswordPrompt.canAsk else {
                throw AdministrationProblem("there is no terminal to ask on: pass --yes to delete the account")
            }
            let question = "Delete the account \(choice.who) of \(choice.options.app) for good? Type yes: "
            prompt(TerminalText.escaped(question))
            guard try await blocking({ readLine() }) == "yes" else {
                throw AdministrationProblem("nothing was deleted")
            }
        }
    }
}
