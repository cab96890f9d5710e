/// Words that users extend with digits and symbols to form passwords, regardless of their frequency as passwords:
/// seasons, months and weekdays, in English and German, and typical initial passwords of systems.
enum PasswordStems {
    static func contains(_ word: String) -> Bool { all.contains(word) }

    private static let all = Set(list.split(whereSeparator: \.isWhitespace).map(String.init))

    private static let list = """
        spring summer autumn fall winter frühling fruehling frühjahr sommer herbst
        january february march april may june july august september october november december
        januar jänner jaenner februar feber märz maerz mai juni juli oktober dezember
        monday tuesday wednesday thursday friday saturday sunday
        montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag
        password passwort passwd kennwort passphrase secret geheim login signin anmelden welcome willkommen hello hallo
        admin administrator administrador root user benutzer guest gast test testing default standard master service
        changeme change company firma office internet computer letmein iloveyou ichliebedich schatz
        """
}
