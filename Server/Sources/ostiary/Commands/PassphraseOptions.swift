import ArgumentParser
import OstiaryCore
import OstiaryEngine

/// The options that pass the passphrase of exported factors; without one of them a terminal is asked. Never an argument.
struct PassphraseOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Read the passphrase of the factors from this file: one line.", valueName: "file"))
    var passphraseFile: String?

    @Flag(help: "Read the passphrase of the factors from standard input.") var passphraseStdin = false

    var isGiven: Bool { passphraseFile != nil || passphraseStdin }

    func validate() throws {
        guard passphraseFile == nil || !passphraseStdin else {
            throw ValidationError("Only one of --passphrase-file and --passphrase-stdin can be used.")
        }
    }

    private static let what = "passphrase"
    private static let option = "--passphrase-file or --passphrase-stdin"

    /// Returns the passphrase of a new export. Blocks the thread.
    ///
    /// - Throws: ``AdministrationProblem``, also for a short one.
    func readNew() throws -> Secret<String> {
        let passphrase =
            try readGiven()
            ?? PasswordPrompt.askTwice("Passphrase of the factors", Self.what, option: Self.option)
        guard let passphrase, passphrase.reveal().utf8.count >= FactorSeal.minimumPassphraseBytes else {
            throw AdministrationProblem(
                "the passphrase needs at least \(FactorSeal.minimumPassphraseBytes) characters; nothing was written")
        }
        return passphrase
    }

    /// Returns the passphrase of an existing export. Blocks the thread.
    ///
    /// - Throws: ``AdministrationProblem``.
    func read() throws -> Secret<String> {
        if let given = try readGiven() { return given }
        try PasswordPrompt.requireTerminal(for: Self.what, option: Self.option)
        return try PasswordPrompt.ask("Passphrase of the factors")
    }

    private func readGiven() throws -> Secret<String>? {
        if let passphraseFile { return try PasswordPrompt.readFile(passphraseFile, Self.what) }
        return passphraseStdin ? try PasswordPrompt.readStandardInput(Self.what) : nil
    }
}
