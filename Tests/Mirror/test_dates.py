"""Dates in words that users type into the file of `todo-server mirror`."""

import datetime
import unittest

from test_mirror import MirrorCase, is_taken


class DateTests(MirrorCase):
    def test_word_is_replaced_by_its_date(self):
        mirror = self.start()
        self.wait(lambda text: text.endswith("<!-- end -->\n"))
        self.type("- [ ] Buy milk due:+0d #shop\n- [ ] Read due:diligence")
        today = datetime.date.today().isoformat()
        text = self.wait(is_taken("Read due:diligence"))
        self.assertIn(f"- [ ] Buy milk due:{today} #shop ^", text)
        self.write(text.replace(f"due:{today}", "due:Tomorrow"))
        tomorrow = (datetime.date.today() + datetime.timedelta(1)).isoformat()
        self.wait(is_taken(f"Buy milk due:{tomorrow} #shop"))
        self.end(mirror)
        todos = self.call(("listTodos", {}))["result"]["todos"]
        self.assertEqual(
            sorted((todo["title"], todo.get("due")) for todo in todos),
            [("Buy milk", tomorrow), ("Read due:diligence", None)])


if __name__ == "__main__":
    unittest.main()
