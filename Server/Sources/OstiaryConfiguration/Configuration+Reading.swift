import OstiaryContracts
import OstiaryCore
import OstiaryEngine

extension Configuration {
    /// Reads the command line, the environment and the file, in this order of precedence, and validates all of it.
    ///
    /// Writes nothing, and reads no other files than the apps' contracts and Apple's private keys; of the other files
    /// that it names it checks that they are readable.
    ///
    /// - Parameter file: Nil for development mode with every preset.
    /// - Throws: The first problem.
    package init(
        file: ConfigurationFile?, environment: [String: String], overrides: Overrides = Overrides()
    ) throws(ConfigurationProblem) {
        let origin = Origin(file: file, environment: environment)
        let root = try Self.root(file, origin: origin)
        let mode = try Self.mode(root, hasFile: file != nil)
        self.mode = mode
        dataDirectory = try Self.dataDirectory(overrides, environment)
        listen = try Self.listen(root, overrides)
        publicURL = try Self.publicURL(root, mode: mode)
        trustedProxies = []
        for setting in try root.list("trusted_proxies") ?? [] { trustedProxies.append(try AddressRange(setting)) }
        tls = try TLSFiles.read(root.section("tls"))
        store = .sqlite(path: dataDirectory == "/" ? "/ostiary.db" : "\(dataDirectory)/ostiary.db")
        if let setting = try root.setting("store") { store = try StoreLocation(setting, origin: origin) }
        encryptionKeys = try Self.encryptionKeys(root)
        if encryptionKeys.isEmpty, mode == .production || store.isShared {
            throw root.problem("encryption_key", "needs 32 bytes in base64, for example from: openssl rand -base64 32")
        }
        signingKeyDays = try root.integer("signing_key_days", in: 7...3650)
        email = try EmailSettings.read(root.section("email"), mode: mode)
        let sms = try root.section("sms")
        smsCountries = try Self.countries(sms)
        self.sms = try SMSSettings.read(sms, mode: mode)
        (adminListen, adminPublicURL) = try Self.admin(root.section("admin"), mode: mode)
        if let adminListen, adminListen == listen, listen.port != 0 {
            throw root.problem("admin", "needs another address than listen")
        }
        events = try EventSettings(root.section("events"), mode: mode)
        geography = try GeographySettings(root.section("geoip"))
        limits = try ServerLimits(root.section("limits"))
        log = try LogSettings(root.section("log"))
        tracing = try TracingSettings(root.section("tracing"))
        let idp = try ProviderConfiguration.read(root, mode: mode)
        if idp != nil, email == nil { throw root.problem("email", "needs kind: smtp: the provider at /idp sends mail") }
        self.idp = idp
        apps = try AppList.read(
            root, mode: mode, idp: idp, urls: events.urls, hasFile: file != nil, chosen: overrides.apps)
        try root.finish()
        try origin.finish()
        if store.isShared { try checkSharedSecrets() }
    }

    /// Requires the secrets for a shared store: those that development mode generates exist in one node's data
    /// directory.
    private func checkSharedSecrets() throws(ConfigurationProblem) {
        for app in apps {
            let isShared = app.signing.algorithm == .hs256
            let hasJWTs = app.contract.rules.refresh?.form == .jwt
            for (name, isNeeded, secret) in [
                ("jwt_secret", isShared, app.signing.secret),
                ("jwt_refresh_secret", hasJWTs, app.signing.refreshSecret),
            ] where isNeeded && secret == nil {
                throw ConfigurationProblem(
                    place: nil, key: "apps.\(app.name).\(name)",
                    need: "needs a secret in every mode with PostgreSQL: the nodes share it")
            }
        }
    }

    private static func encryptionKeys(_ root: Section) throws(ConfigurationProblem) -> [Secret<[UInt8]>] {
        let single = try root.setting("encryption_key")
        guard let list = try root.list("encryption_keys") else {
            return try single.map { (setting) throws(ConfigurationProblem) in
                [try SecretStrength.encryptionKey(setting)]
            } ?? []
        }
        if let single { throw single.problem("needs to be removed: encryption_keys has all keys") }
        guard !list.isEmpty else { throw root.problem("encryption_keys", "needs at least one key") }
        var keys: [Secret<[UInt8]>] = []
        for setting in list {
            let key = try SecretStrength.encryptionKey(setting)
            guard !keys.contains(key) else { throw setting.problem("needs different keys") }
            keys.append(key)
        }
        return keys
    }

    private static func root(_ file: ConfigurationFile?, origin: Origin) throws(ConfigurationProblem) -> Section {
        guard let file else { return try Section(nil, path: [], origin: origin) }
        let place = ConfigurationProblem.Place.file(file.name, line: nil)
        let node = try YAMLDocument.compose(file.bytes, place: place)
        return try Section(node.map { Section.Entry(node: $0, place: place) }, path: [], origin: origin)
    }

    /// Returns the mode; development without a file. A file must name its mode: with either default a forgotten line
    /// would open the development inbox, or keep a server from starting.
    private static func mode(_ root: Section, hasFile: Bool) throws(ConfigurationProblem) -> Mode {
        if let mode: Mode = try root.choice("mode") { return mode }
        guard !hasFile else { throw root.problem("mode", "needs development or production") }
        return .development
    }

    private static func dataDirectory(
        _ overrides: Overrides, _ environment: [String: String]
    ) throws(ConfigurationProblem) -> String {
        let setting =
            overrides.dataDirectory.map { Setting(key: "", text: $0, place: .option("--data"), isQuoted: true) }
            ?? environment["OSTIARY_DATA"].map {
                Setting(key: "", text: $0, place: .variable("OSTIARY_DATA"), isQuoted: true)
            }
        guard let path = try setting?.string() else { return ".ostiary" }
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    private static func listen(_ root: Section, _ overrides: Overrides) throws(ConfigurationProblem) -> ListenAddress {
        // Read in any case, so that an error in the file is reported.
        let configured = try root.setting("listen").map { (setting) throws(ConfigurationProblem) in
            try ListenAddress(setting)
        }
        if let text = overrides.listen {
            return try ListenAddress(Setting(key: "", text: text, place: .option("--listen"), isQuoted: true))
        }
        return configured ?? ListenAddress(host: "127.0.0.1", port: 3001)
    }

    private static func publicURL(_ root: Section, mode: Mode) throws(ConfigurationProblem) -> String? {
        guard let setting = try root.setting("public_url") else {
            guard mode == .development else {
                throw root.problem(
                    "public_url", "needs the public URL of the server, for example https://auth.example.com")
            }
            return nil
        }
        let url = try WebURL(setting, allowingPlain: mode == .development)
        guard !url.path.contains("//"), url.path == "/" || !url.path.hasSuffix("/") else {
            throw setting.problem("needs a URL without a slash at the end")
        }
        return url.path == "/" ? String(url.text.dropLast()) : url.text
    }

    private static func countries(_ sms: Section) throws(ConfigurationProblem) -> [CallingCode]? {
        guard let settings = try sms.list("countries") else { return nil }
        var codes: [CallingCode] = []
        for setting in settings {
            guard let code = CallingCode(try setting.string()) else {
                throw setting.problem("needs calling codes in quotes, for example [\"+49\", \"+1\"]")
            }
            codes.append(code)
        }
        guard !codes.isEmpty else { throw sms.problem("countries", "needs at least one calling code, such as \"+49\"") }
        return codes
    }

    private static func admin(
        _ section: Section, mode: Mode
    ) throws(ConfigurationProblem) -> (listen: ListenAddress?, publicURL: String?) {
        let setting = try section.setting("listen")
        var listen = mode == .production ? ListenAddress(host: "127.0.0.1", port: 3002) : nil
        if let setting { listen = try ListenAddress(setting) }
        var publicURL: String?
        if let setting = try section.setting("public_url") {
            guard listen != nil else { throw setting.problem("needs admin.listen") }
            let url = try WebURL(setting, allowingPlain: mode == .development)
            guard url.path.isEmpty || url.path == "/" else { throw setting.problem("needs a URL without a path") }
            publicURL = url.path.isEmpty ? url.text : String(url.text.dropLast())
        }
        try section.finish()
        return (listen, publicURL)
    }
}
