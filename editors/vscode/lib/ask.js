'use strict';

const vscode = require('vscode');
const { rowsOf, shownScreen } = require('./text');

/** What the user does: pressing an action, with the questions that it asks first, and filling in a field. */
class Presser {
  constructor(session, forms, views) {
    Object.assign(this, { session, forms, views });
  }

  async press(name, item) {
    const { session, forms } = this;
    // A row can be clicked while a text form is in front of its list: like a click elsewhere, that leaves the form.
    if (item !== undefined && shownScreen(session) !== session.front) {
      const { action: opened, item: from } = session.opening;
      if ((opened === name && from === item) || !(await forms.leave())) return forms.show();
    }
    if (await forms.press(name)) return;
    const { front } = session;
    const action = front?.actions.find((one) => one.name === name);
    if (!action) return;
    const target = action.scope === 'item' ? item ?? this.views.selected : undefined;
    const { title, enabled, confirm, input = [] } = action;
    if (action.scope === 'item' && target === undefined) throw new Error(`Select a row for “${title}” first.`);
    const problem = front.body.fields?.find(({ error }) => error)?.error ?? '';
    if (!enabled) throw new Error(`“${title}” is not possible now. ${problem}`);
    if (confirm && (await vscode.window.showWarningMessage(confirm, { modal: true }, title)) !== title) return;
    const values = {};
    for (const field of input) {
      values[field.name] = await askText(title, field);
      if (values[field.name] === undefined) return;
    }
    await session.act(name, { item: target, values, base: front.body.base });
  }

  /** Asks for one field of the form in front, telling the server at every change. */
  async ask(name) {
    const { session } = this;
    const { front } = session;
    const find = () => rowsOf(session.front).find((field) => field.name === name);
    const field = find();
    if (!field || field.readOnly) return;
    const tell = (text) => session.change({ [name]: text }, front.body.base);
    const text = await askText(front.title, field, async (typed) => {
      await tell(typed).catch(() => {});
      const message = find()?.error;
      // A warning does not keep the box open: another field may be what is wrong.
      return message && { message, severity: vscode.InputBoxValidationSeverity.Warning };
    });
    if (session.front?.name === front.name) await tell(text ?? field.value ?? '');
  }
}

/** Asks for one text; undefined when the user thought better of it. */
function askText(title, { label, value = '', secret = false }, validateInput) {
  const password = secret; // VS Code shows dots and keeps no history of any input box
  return vscode.window.showInputBox({ title, prompt: label, value, password, ignoreFocusOut: true, validateInput });
}

module.exports = { Presser };
