import OstiaryConfiguration
import Testing

@Suite struct ListenerTests {
    private func refusal(_ configuration: Configuration, isConfirmed: Bool = false) -> String? {
        do throws(ConfigurationProblem) {
            try configuration.checkListeners(isDevelopmentConfirmed: isConfirmed)
            return nil
        } catch {
            return error.description
        }
    }

    @Test(arguments: ["127.0.0.1:3001", "127.8.8.8:0", "[::1]:3001", "localhost:3001", "LOCALHOST:3001"])
    func `PT-07: development mode listens for this machine`(address: String) throws {
        let configuration = try read([:], .init(listen: address))
        #expect(refusal(configuration) == nil)
    }

    @Test(arguments: ["0.0.0.0:3001", "[::]:3001", "192.0.2.1:3001", "localhost.example.com:3001", "auth:3001"])
    func `PT-07: development mode listens for no other machine unless it is said on the command line`(
        address: String
    ) throws {
        let configuration = try read([:], .init(listen: address))
        let words = try #require(refusal(configuration))
        #expect(words.hasPrefix("listen: needs a loopback address in development mode"))
        #expect(words.contains("--development") && words.contains("mode: production"))
        #expect(refusal(configuration, isConfirmed: true) == nil)
    }

    @Test func `PT-07: nor do its metrics`() throws {
        let configuration = try read("mode: development\nadmin: {listen: 0.0.0.0:3002}\napps: {vici: {contract: vici}}")
        #expect(refusal(configuration)?.hasPrefix("admin.listen: needs a loopback address") == true)
    }

    @Test(arguments: ["https://admin.example.com", "https://admin.example.com/"])
    func `keeps the origin of the admin listener without a slash`(url: String) throws {
        let admin = "admin: {listen: 127.0.0.1:3002, public_url: \"\(url)\"}"
        let configuration = try read("mode: development\n\(admin)\napps: {vici: {contract: vici}}")
        #expect(configuration.adminPublicURL == "https://admin.example.com")
        #expect(configuration.show().contains("public_url: \"https://admin.example.com\"\n"))
    }

    @Test func `PT-07: production is not called development`() throws {
        let configuration = try read(productionHead + "  clarity:")
        #expect(refusal(configuration) == nil)
        #expect(refusal(configuration, isConfirmed: true) == "--development: needs mode: development, not production")
    }
}
