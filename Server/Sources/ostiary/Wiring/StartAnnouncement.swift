import OstiaryConfiguration
import OstiaryEngine
import OstiaryHTTP

/// The lines that say where a server that has started is reached.
struct StartAnnouncement {
    private let mode: String
    private let scheme: String
    private let listen: ListenAddress
    /// The names of the apps, with their hosts and base paths.
    private let apps: [(name: String, hosts: [String], path: String)]

    init(_ resolved: ResolvedConfiguration) {
        mode = resolved.configuration.mode.rawValue
        scheme = resolved.configuration.tls == nil ? "http" : "https"
        listen = resolved.configuration.listen
        apps = resolved.apps.map {
            ("\($0.settings.name)", $0.configuration.hosts, $0.configuration.basePath.text)
        }
    }

    /// - Parameter port: The port in use, where the configuration leaves it to the system.
    func print(_ application: ServerApplication, at port: Int?) {
        let address = ListenAddress(host: listen.host, port: port ?? listen.port)
        printLine("mode: \(mode)")
        if let home = homePage(application, at: address) {
            printLine("home page: \(home)")
        } else {
            for app in apps {
                let place = app.hosts.isEmpty ? "\(address)" : app.hosts.joined(separator: ", ")
                printLine("\(app.name): \(scheme)://\(place)\(app.path)")
            }
        }
        printLine("listening on \(scheme)://\(address)")
    }

    /// Returns the URL of the home page, which lists the apps and the inbox; nil where it is not served.
    private func homePage(_ application: ServerApplication, at address: ListenAddress) -> String? {
        let host =
            switch address.host {
            case "0.0.0.0": "127.0.0.1"
            case "::": "::1"
            default: address.host
            }
        let local = ListenAddress(host: host, port: address.port)
        guard local.isLoopback, application.showsHomePage(authority: local.description) else { return nil }
        return "\(scheme)://\(local)/"
    }
}
