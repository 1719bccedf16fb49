'use strict';

const vscode = require('vscode');
const { problemOf, rowsOf, shownScreen } = require('./text');

/** Asks for one text; undefined when the user thought better of it. */
function askText(title, { label, value = '', secret = false }, validateInput) {
  const password = secret; // VS Code shows dots and keeps no history of any input box
  return vscode.window.showInputBox({ title, prompt: label, value, password, ignoreFocusOut: true, validateInput });
}

/** Asks for one field of the form in front, telling the server at every change; whether it was answered. */
async function askField(session, name) {
  const { front } = session;
  const find = () => rowsOf(session.front).find((field) => field.name === name);
  const field = find();
  if (!field) return false;
  const before = field.value ?? '';
  let told = field.secret ? undefined : before; // what a secret is now, only the server knows
  const tell = async (text) => {
    if (text !== told) await session.change({ [name]: (told = text) });
  };
  const text = await askText(front.title, field, async (typed) => {
    await tell(typed).catch(() => {});
    const message = find()?.error;
    // A warning does not keep the box open: another field may be what is wrong.
    return message && { message, severity: vscode.InputBoxValidationSeverity.Warning };
  });
  if (session.front?.name === front.name) await tell(text ?? before);
  return text !== undefined;
}

class Presser {
  #running = new Set();

  constructor(session, forms, list) {
    Object.assign(this, { session, forms, list });
  }

  /** Does an action as the user would: first what has to be asked, then the message to the server. */
  async press(name, item) {
    const key = JSON.stringify([name, item]);
    if (this.#running.has(key)) return; // the second half of a double click
    this.#running.add(key);
    try {
      if (item !== undefined && this.forms.isFrom(name, item)) await this.forms.show();
      else if (item === undefined || (await this.#leaveForm())) await this.#press(name, item);
    } finally {
      this.#running.delete(key);
    }
  }

  async #press(name, item) {
    const { session, forms } = this;
    const screen = session.front;
    const action = screen?.actions.find((one) => one.name === name);
    if (!action) return;
    const target = action.scope === 'item' ? item ?? this.list.selected : undefined;
    if (action.scope === 'item' && target === undefined) return say(`Select a row for “${action.title}” first.`);
    const [unsaved] = forms.unsaved();
    if (!action.enabled && !unsaved) {
      return say([`“${action.title}” is not possible now.`, problemOf(screen)].filter(Boolean).join(' '));
    }
    const loses = unsaved && name === screen.bar.left ? `“${unsaved.name}” has unsaved text.` : '';
    const question = action.confirm ?? loses;
    if (question && !(await isConfirmed(question, action.title))) return;
    const answers = await ask(action);
    if (!answers) return;
    await forms.settle((typed) => {
      const values = { ...typed, ...answers };
      return session.act(name, { item: target, values: Object.keys(values).length ? values : undefined });
    });
  }

  /** A row can be clicked while a text form is in front of its list: like a click elsewhere, that leaves the form. */
  async #leaveForm() {
    const { session, forms } = this;
    const { front } = session;
    if (shownScreen(session) === front) return true;
    if (front.bar.left && forms.canLeave) {
      await session.act(front.bar.left);
      return true;
    }
    await forms.show();
    say(`“${front.title}” is open: save or close it first.`);
    return false;
  }

  /** A list of what can be done now: for a row, or with the screen. */
  async choose(item) {
    if (item !== undefined && !(await this.#leaveForm())) return;
    const { front } = this.session;
    const possible = (front?.actions ?? []).filter((action) => action.enabled
      && (action.scope === 'item' ? item ?? this.list.selected : item === undefined));
    const picks = possible.map(({ name, title, scope }) => {
      return { name, label: title, description: scope === 'item' ? 'row' : '' };
    });
    const pick = await vscode.window.showQuickPick(picks, { title: front?.title, placeHolder: 'What to do' });
    if (pick) await this.press(pick.name, item);
  }

  /** Asks for all fields of a short form in turn, and then does what Enter would. */
  async fill() {
    const { front, frontKey } = this.session;
    for (const field of rowsOf(front)) {
      if (!(await askField(this.session, field.name))) return;
      if (this.session.frontKey !== frontKey) return;
    }
    if (!rowsOf(front).length) return;
    const { bar, actions } = this.session.front;
    const main = bar.right ?? actions.find((action) => action.enabled && action.scope === 'screen')?.name;
    if (main) await this.press(main);
  }
}

async function isConfirmed(question, yes) {
  return (await vscode.window.showWarningMessage(question, { modal: true }, yes)) === yes;
}

/** What the action wants to know, or undefined. */
async function ask({ title, input = [] }) {
  const answers = {};
  for (const field of input) {
    const text = await askText(title, field);
    if (text === undefined) return undefined;
    answers[field.name] = text;
  }
  return answers;
}

function say(text) {
  vscode.window.showInformationMessage(text);
}

module.exports = { Presser, askField };
