import OstiaryEngine
import OstiaryProvider
import Testing

@Suite struct ProviderSettingsTests {
    @Test func `a client without a secret is a public one`() {
        let client = ProviderClient(id: "app", name: "App", redirectURIs: RedirectURIs(["app://callback"]))
        #expect(client.secret == nil && !client.isFirstParty)
    }
}
