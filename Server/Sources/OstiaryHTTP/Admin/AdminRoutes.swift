/// The performance of every operation of the admin API.
enum AdminRoutes {
    static let all: [AdminRoute] = [
        apps, accounts, sessions, roles, impersonation, signingKeys, audit, messages, statistics,
        events,
    ].flatMap(\.self)
}
