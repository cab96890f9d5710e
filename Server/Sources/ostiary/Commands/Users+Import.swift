import ArgumentParser
import OstiaryEngine

extension Users {
    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import", abstract: "Imports accounts from another system, with ids and password hashes.",
            discussion: """
                SOURCE is a file with one JSON object a line, as `users export` writes it, or viewvault:FILE.db for the \
                table `user` of a ViewVault database, which is only read. Keys of a line: id, username, email, \
                phone_number, full_name, password_hash, roles, active, auth_provider, provider_subject, attributes, \
                created_at, factors, totp_secret; all optional, except that an email, username, phone_number or provider_subject is \
                needed.

                factors is what `users export --factors` sealed; a terminal is asked for the passphrase. totp_secret is \
                the secret of an authenticator app from another system, in base32: delete such a file after the import.

                An account that signs in with a username keeps it. Where another account has the same email, the \
                account is added without it; where another account has the username in another spelling, the account is \
                added and signs in with exactly its own spelling. Each value that is left out or replaced is listed on \
                one line.

                Records that cannot be added are skipped and reported on standard error. Existing accounts remain \
                unchanged, so an interrupted import can be run again. The exit status is 1 if any record was refused.

                With --server accounts are created one after the other. The admin API adds local, active accounts without \
                ids and second factors: others are refused, and so are accounts whose names another account has.

                Example:
                  ostiary users import --app viewvault --from viewvault:viewvault.db
                  ostiary users import --app vici --from accounts.jsonl
                """)

        @OptionGroup var options: AppOptions

        @Option(help: ArgumentHelp("The source of the accounts.", valueName: "source")) var from: String

        @OptionGroup var passphrase: PassphraseOptions

        @Flag(
            help:
                "Let the server assign ids instead of those of the source. The app's own data no longer matches the accounts."
        )
        var newIds = false

        func run() async throws {
            let (app, from, passphrase, hasNewIDs) = (options.app, from, passphrase, newIds)
            let isRemote = options.remote.server != nil
            try await StoreOptions.exiting {
                // Before the store is opened, so that a mistyped name or passphrase leaves no database behind.
                _ = try AccountSourceName.open(from)
                guard !isRemote || !passphrase.isGiven else {
                    throw AdministrationProblem("factors are imported on the server's own machine, without --server")
                }
                let seals =
                    isRemote ? [] : try await blocking { try Self.seals(of: from, passphrase) }.map { SealKey($0) }
                let run = try await options.administer(makingStore: true) { control in
                    try await cancelledWhenInterrupted {
                        var run = ImportRun(control: control, app: app, seals: seals, hasNewIDs: hasNewIDs)
                        try await run.add(try AccountSourceName.open(from))
                        return run.counts
                    }
                }
                try StandardOutput.write(run.summary + "\n")
                if run.isInterrupted { throw ExitCode.interrupted }
                if run.refused > 0 { throw ExitCode.failure }
            }
        }

        /// Returns the seals of the source's factors. Blocks the thread.
        ///
        /// - Throws: ``AdministrationProblem`` for a wrong passphrase.
        private static func seals(of source: String, _ passphrase: PassphraseOptions) throws -> [FactorSeal] {
            guard AccountSourceName.canBeReadTwice(source) else {
                guard !passphrase.isGiven else {
                    throw AdministrationProblem(
                        "\(source): factors are imported from a regular file, which is read twice")
                }
                return []
            }
            let sealed = try SealedFactors(in: try AccountSourceName.open(source))
            return sealed.isEmpty ? [] : try sealed.seals(for: try passphrase.read())
        }
    }
}

/// One import, page by page.
private struct ImportRun {
    let control: any Control
    let app: String
    let seals: [SealKey]
    let hasNewIDs: Bool
    private(set) var counts = Counts()
    private var progress = ProgressLine("read")

    struct Counts: Sendable {
        var added = 0
        /// The number of added accounts that differ from their records.
        var changed = 0
        var alreadyThere = 0
        var refused = 0
        var isInterrupted = false

        var summary: String {
            let skipped = "added \(added), skipped \(alreadyThere + refused)"
            let there = alreadyThere > 0 ? ["\(alreadyThere) there already"] : []
            let bad = refused > 0 ? ["\(refused) refused"] : []
            let why = (there + bad).joined(separator: ", ")
            let differences = changed > 0 ? ", changed \(changed) of those added" : ""
            return skipped + (why.isEmpty ? "" : " (\(why))") + differences
                + (isInterrupted ? "; interrupted: run it again" : "")
        }
    }

    init(control: any Control, app: String, seals: [SealKey], hasNewIDs: Bool) {
        self.control = control
        self.app = app
        self.seals = seals
        self.hasNewIDs = hasNewIDs
    }

    /// Adds the source's accounts. Stops between two pages when the task is cancelled.
    mutating func add(_ source: consuming any AccountSource) async throws {
        var source = source
        progress.show(0, part: source.progress)
        defer { progress.clear() }
        while var page = try source.nextPage()?[...] {
            while !page.isEmpty {
                guard !Task.isCancelled else {
                    counts.isInterrupted = true
                    return
                }
                try await add(Array(page.prefix(control.maximumImport)))
                page = page.dropFirst(control.maximumImport)
                progress.show(counts.added + counts.alreadyThere + counts.refused, part: source.progress)
            }
        }
    }

    private mutating func add(_ page: [SourceRecord]) async throws {
        var records = page.compactMap { try? $0.record.get() }
        if hasNewIDs { for index in records.indices { records[index].id = nil } }
        let (control, app, seals, sent) = (control, app, seals, records)
        // Not cancelled with the rest, so that the outcome of the page is known.
        let sending = Task { try await control.perform(.importAccounts(sent, opening: seals), app: app) }
        guard case .imported(let results) = try await sending.value, results.count == records.count else {
            throw ControlReply.unexpected
        }
        var rest = results[...]
        for item in page {
            switch item.record {
            case .failure(let problem): refuse(item.place, problem.description)
            case .success:
                switch rest.popFirst() {
                case .added: add(item.place, item.changes)
                case .addedChanged(let changes): add(item.place, item.changes + changes)
                case .alreadyThere: counts.alreadyThere += 1
                case .refused(let reason): refuse(item.place, reason)
                case nil: throw ControlReply.unexpected
                }
            }
        }
    }

    private mutating func add(_ place: String, _ changes: [String]) {
        counts.added += 1
        guard !changes.isEmpty else { return }
        counts.changed += 1
        progress.clear()
        let lines = changes.map { TerminalText.escaped("\(place): added, but \($0)") + "\n" }
        // A closed standard output does not end the import.
        try? StandardOutput.write(lines.joined())
    }

    private mutating func refuse(_ place: String, _ reason: String) {
        counts.refused += 1
        progress.clear()
        printError(TerminalText.escaped("\(place): \(reason)"))
    }
}
