    private val device = UiDevice.getInstance(InstrumentationRegistry.getInstrumentation())

    /** Milliseconds that a widget or a text is waited for. */
    private val patience = 20_000L

    private fun start(app: String) {
        device.executeShellCommand("am force-stop $app")
        device.executeShellCommand("pm clear $app")
        open(app)
    }

    private fun open(app: String) {
        device.executeShellCommand("monkey -p $app -c android.intent.category.LAUNCHER 1")
    }

    private fun secret(name: String): String =
        requireNotNull(InstrumentationRegistry.getArguments().getString(name)) { "give the argument $name" }

    private fun find(selector: UiSelector): UiObject {
        val found = device.findObject(selector)
        assertTrue("diverged: $selector is not on the screen", found.waitForExists(patience))
        return found
    }

    private fun scrollable(horizontal: Boolean): UiScrollable {
        val area = UiScrollable(UiSelector().scrollable(true))
        return if (horizontal) area.setAsHorizontalList() else area.setAsVerticalList()
    }

    private fun holding(text: String) = "(?is).*" + Pattern.quote(text) + ".*"

    private fun shows(text: String): Boolean =
        device.findObject(UiSelector().textMatches(holding(text))).exists() ||
            device.findObject(UiSelector().descriptionMatches(holding(text))).exists()

    private fun expectText(text: String) {
        if (device.findObject(UiSelector().textMatches(holding(text))).waitForExists(patience) || shows(text)) return
        val page = scrollable(horizontal = false)
        while (page.exists() && page.scrollForward()) if (shows(text)) return
        assertTrue("failed: $text is not on the screen", shows(text))
    }

    private fun expectNoText(text: String) = assertFalse("failed: $text is on the screen", shows(text))
