/// The performance of every operation of the admin API.
enum AdminRoutes {
    static let all = apps + accounts + sessions + statistics + events
}
