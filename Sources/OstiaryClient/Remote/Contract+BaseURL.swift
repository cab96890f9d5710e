public import Foundation
public import OstiaryContracts

extension Contract {
    /// Returns the URL of the app's API: the entry `API_BASE_URL` of its Info.plist, else the contract's URL for the
    /// build.
    ///
    /// ```swift
    /// let auth = try AuthClient(contract: .timetracker, baseURL: Contract.timetracker.apiBaseURL())
    /// ```
    ///
    /// - Parameters:
    ///   - information: The app's Info.plist, as a bundle reads it.
    ///   - isDevelopment: `true` to prefer the contract's development URL, `false` to prefer its production URL.
    /// - Throws: `ClientError.invalidURL` for an entry that exists and is no URL: a build setting that was left empty
    ///   must not send an installed app to a development server. In an .xcconfig, `//` begins a comment; write
    ///   `https:/$()/`. `ClientError.invalidRequest` if neither the entry nor a URL in the contract exists.
    public func apiBaseURL(
        in information: [String: Any]? = Bundle.main.infoDictionary, isDevelopment: Bool = ClientOptions.isDebugBuild
    ) throws(ClientError) -> URL {
        if let entry = information?["API_BASE_URL"] {
            guard let text = entry as? String, let url = URL(string: text), url.scheme != nil,
                url.host?.isEmpty == false
            else { throw .invalidURL(.malformed) }
            return url
        }
        let (development, production) = (client.developmentBaseURL, client.productionBaseURL)
        guard let text = isDevelopment ? development ?? production : production ?? development,
            let url = URL(string: text)
        else { throw .invalidRequest("neither the Info.plist (API_BASE_URL) nor the contract says where the API is") }
        return url
    }
}
