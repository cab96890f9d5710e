public import Foundation
public import OstiaryContracts

extension Contract {
    /// Where the app's API is: what its Info.plist has under `API_BASE_URL`, else what the contract says of the build.
    ///
    /// ```swift
    /// let auth = try AuthClient(contract: .timetracker, baseURL: Contract.timetracker.apiBaseURL())
    /// ```
    ///
    /// - Parameters:
    ///   - information: The app's Info.plist, as a bundle reads it.
    ///   - isDevelopment: Whether the contract's address for development comes first; for everybody, it comes last.
    /// - Throws: `ClientError.invalidURL` for an entry that is there and no URL: a setting that was not filled in must
    ///   not send an app that people have installed to a server in development. In an .xcconfig, `//` begins a comment;
    ///   write `https:/$()/`. `ClientError.invalidRequest` where neither says anything.
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
