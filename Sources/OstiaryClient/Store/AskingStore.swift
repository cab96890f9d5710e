/// A store that nobody reads before its person was asked, as in a prompt for a face.
///
/// The prompt itself makes an app inactive and active again, so that only an app that was away has come to the front.
protocol AskingStore: SessionStore {
    /// The app is not to be seen: nobody is asked, and what the person has said before is forgotten.
    func leaveFront()
    /// The app is to be seen again.
    func comeToFront()
    /// Has the person asked once more at the next reading, whatever they have said.
    func askAgain()
}
