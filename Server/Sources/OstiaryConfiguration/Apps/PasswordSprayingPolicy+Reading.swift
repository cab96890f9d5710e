import OstiaryEngine

extension PasswordSprayingPolicy {
    init(_ section: Section) throws(ConfigurationProblem) {
        self.init()
        accounts = try section.integer("accounts", in: 1...1_000_000) ?? accounts
        try section.finish()
    }

    func show(in outline: inout Outline) { outline.add("accounts", accounts) }
}
