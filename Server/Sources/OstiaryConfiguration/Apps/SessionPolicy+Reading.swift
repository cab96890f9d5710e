import OstiaryEngine

extension SessionPolicy {
    init(_ section: Section) throws(ConfigurationProblem) {
        self.init()
        maximum = try section.integer("maximum", in: Self.maximumRange) ?? maximum
        idleSeconds = try section.seconds("idle")
        absoluteSeconds = try section.seconds("absolute") ?? absoluteSeconds
        if let idleSeconds, idleSeconds > absoluteSeconds {
            throw section.problem("idle", "needs at most the \(absoluteSeconds) seconds of absolute")
        }
        try section.finish()
    }

    func show(in outline: inout Outline) {
        outline.add("maximum", maximum)
        outline.add("idle", idleSeconds)
        outline.add("absolute", absoluteSeconds)
    }
}
