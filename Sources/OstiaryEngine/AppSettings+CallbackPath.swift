extension AppSettings {
    /// Returns the path that an identity provider redirects the browser to: `/callback` below the prefix, or where the
    /// app has several providers, a path of that provider alone.
    ///
    /// At a shared path, the response of a provider that sends no `iss` passes for the response of another, malicious
    /// one, which receives the code (mix-up attack). A path of several is not below `/callback`, since GitHub redirects
    /// to every path below the registered one. Source: RFC 9700 §4.4.2.
    ///
    /// - Parameters:
    ///   - provider: The provider's name.
    ///   - providers: The names of all providers at which users of the app sign in in a browser.
    public func callbackPath(of provider: String, among providers: [String]) -> String {
        providers.count > 1 ? "\(pathPrefix)/providers/\(provider)/callback" : "\(pathPrefix)/callback"
    }
}
