import OstiaryEngine

extension CredentialStuffingPolicy {
    init(_ section: Section) throws(ConfigurationProblem) {
        self.init()
        identifiers = try section.integer("identifiers", in: 1...1_000_000) ?? identifiers
        try section.finish()
    }

    func show(in outline: inout Outline) { outline.add("identifiers", identifiers) }
}
