/// The two PEM files of the server's own TLS. SIGHUP reads both again.
public struct TLSFiles: Hashable, Sendable {
    public var certificate: String
    public var key: String

    public init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }

    static func read(_ section: Section) throws(ConfigurationProblem) -> TLSFiles? {
        guard section.isPresent else { return nil }
        let files = TLSFiles(
            certificate: try readable("certificate", in: section), key: try readable("key", in: section))
        try section.finish()
        return files
    }

    private static func readable(_ name: String, in section: Section) throws(ConfigurationProblem) -> String {
        guard let path = try section.readableFile(name, "a PEM file") else {
            throw section.problem(name, "needs a PEM file")
        }
        return path
    }
}
