/// The files by which network addresses are located, in the MaxMind DB format. A reload reads them again.
package struct GeographySettings: Hashable, Sendable {
    /// Countries and places.
    package var city: String?
    /// Autonomous systems.
    package var asn: String?
    /// Networks that hide the origin of their users.
    package var anonymous: String?

    /// `true` if there is no file.
    package var isEmpty: Bool { self == GeographySettings() }

    private init() {}

    init(_ section: Section) throws(ConfigurationProblem) {
        let file = "a file in the MaxMind DB format"
        city = try section.readableFile("city", file)
        asn = try section.readableFile("asn", file)
        anonymous = try section.readableFile("anonymous", file)
        try section.finish()
    }

    func show(in outline: inout Outline) {
        outline.add("city", path: city)
        outline.add("asn", path: asn)
        outline.add("anonymous", path: anonymous)
    }
}
