/// The version of the program, as `ostiary --version` prints it. The changelog has its first release.
enum Version {
    static let current = "0.1.0-dev"
}
