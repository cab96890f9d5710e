import OstiaryEngine

extension RiskPolicy {
    init(_ section: Section) throws(ConfigurationProblem) {
        self.init()
        notify = try section.choice("notify") ?? notify
        challenge = try section.choice("challenge") ?? challenge
        refuse = try section.choice("refuse") ?? refuse
        try section.finish()
    }

    func show(in outline: inout Outline) {
        outline.add("notify", notify.rawValue)
        outline.add("challenge", challenge.rawValue)
        outline.add("refuse", refuse.rawValue)
    }
}
