import { argumentCounts, findFunction, functionNames } from "./cesql-functions.ts";
import { CesqlFault, type CesqlToken, tokensOf } from "./cesql-tokens.ts";
import { type Arithmetic, type CesqlTree, type Comparison, inRange, type Logic } from "./cesql-values.ts";

/**
 * A recursive descent parser for CloudEvents SQL 1.0. By precedence, highest first: NOT and the sign, LIKE and IN, multiplication,
 * addition, comparison, AND, then OR and XOR together. The last two levels are right-associative, the others left-associative. Keywords and
 * names of functions are case-insensitive. Each level is a loop, so only brackets, functions and signs nest, and their depth is limited.
 */

const maxDepth = 30;
const keyWords = ["AND", "OR", "XOR", "NOT", "LIKE", "EXISTS", "IN", "TRUE", "FALSE"];

/** @throws CesqlFault if the text is not an expression, or exceeds the limits */
export function parseCesql(expression: string): CesqlTree {
  return new Parser(tokensOf(expression)).whole();
}

class Parser {
  #next = 0;
  #depth = 0;

  readonly #tokens: readonly CesqlToken[];

  constructor(tokens: readonly CesqlToken[]) {
    this.#tokens = tokens;
  }

  whole(): CesqlTree {
    const tree = this.#expression();
    if (this.#token.kind !== "end") throw this.#unexpected("an operator or the end");
    return tree;
  }

  #expression(): CesqlTree {
    return this.#groupedRight(["OR", "XOR"], () => this.#groupedRight(["AND"], () => this.#comparison()));
  }

  #groupedRight(operators: readonly Logic[], operand: () => CesqlTree): CesqlTree {
    const operands = [operand()];
    const between: Logic[] = [];
    for (let found = this.#takeOne(operators); found; found = this.#takeOne(operators)) {
      between.push(found);
      operands.push(operand());
    }
    return operands.reduceRight((right, left, index) => ({ kind: "logic", operator: between[index]!, left, right }));
  }

  #comparison(): CesqlTree {
    const operators: Comparison[] = ["=", "!=", "<>", "<", "<=", ">", ">="];
    return this.#groupedLeft(
      operators,
      () => this.#sum(),
      (operator, left, right) => ({ kind: "comparison", operator, left, right }),
    );
  }

  #sum(): CesqlTree {
    return this.#calculation(["+", "-"], () => this.#calculation(["*", "/", "%"], () => this.#membership()));
  }

  #calculation(operators: readonly Arithmetic[], operand: () => CesqlTree): CesqlTree {
    return this.#groupedLeft(operators, operand, (operator, left, right) => ({ kind: "arithmetic", operator, left, right }));
  }

  #groupedLeft<Operator extends string>(
    operators: readonly Operator[],
    operand: () => CesqlTree,
    join: (operator: Operator, left: CesqlTree, right: CesqlTree) => CesqlTree,
  ): CesqlTree {
    let left = operand();
    for (let found = this.#takeOne(operators); found; found = this.#takeOne(operators)) left = join(found, left, operand());
    return left;
  }

  #membership(): CesqlTree {
    const start = this.#token;
    let left = this.#unary();
    for (;;) {
      const isNegated = this.#isWord("NOT") && ["LIKE", "IN"].includes(this.#tokens[this.#next + 1]!.text.toUpperCase());
      if (isNegated) this.#next++;
      const operator = this.#takeOne(["LIKE", "IN"]);
      if (!operator) return left;
      if (left.kind === "not" && start.kind === "word") throw new CesqlFault(start.at, notFirst(operator));
      left =
        operator === "LIKE"
          ? { kind: "like", isNegated, left, pattern: this.#pattern() }
          : { kind: "in", isNegated, left, set: this.#set() };
    }
  }

  #unary(): CesqlTree {
    if (this.#takeOne(["NOT"])) return { kind: "not", operand: this.#nested(() => this.#unary()) };
    const sign = this.#takeOne(["-", "+"]);
    if (!sign) return this.#primary();
    if (this.#token.kind === "integer") return this.#integer(sign);
    if (sign === "+") throw this.#unexpected("a number");
    return { kind: "minus", operand: this.#nested(() => this.#unary()) };
  }

  #primary(): CesqlTree {
    const { kind, text } = this.#token;
    if (kind === "integer") return this.#integer("+");
    if (kind === "text") return { kind: "literal", value: this.#take().text };
    if (this.#takeOne(["("])) return this.#closed(this.#nested(() => this.#expression()));
    if (this.#takeOne(["EXISTS"])) return { kind: "exists", name: this.#attribute() };
    const truth = this.#takeOne(["TRUE", "FALSE"]);
    if (truth) return { kind: "literal", value: truth === "TRUE" };
    if (kind === "word" && this.#tokens[this.#next + 1]!.text === "(" && !keyWords.includes(text.toUpperCase())) return this.#call();
    return { kind: "attribute", name: this.#attribute() };
  }

  #integer(sign: string): CesqlTree {
    const { text, at } = this.#take();
    const value = inRange(Number(`${sign}${text}`));
    if (value === undefined) throw new CesqlFault(at, `${text.slice(0, 30)} is not a number of 32 bits`);
    return { kind: "literal", value };
  }

  #attribute(): string {
    const { kind, text, at } = this.#token;
    if (kind !== "word" || keyWords.includes(text.toUpperCase())) throw this.#unexpected("a value, such as the name of an attribute");
    if (text.includes("_")) throw new CesqlFault(at, `${text} is not an attribute name: use only letters and digits`);
    return this.#take().text.toLowerCase();
  }

  #call(): CesqlTree {
    const { text, at } = this.#take();
    const name = text.toUpperCase();
    if (!functionNames.includes(name)) throw new CesqlFault(at, `there is no function ${text}; known are ${functionNames.join(", ")}`);
    this.#take();
    const given = this.#takeOne([")"]) ? [] : this.#list();
    if (!findFunction(name, given.length)) throw new CesqlFault(at, `${name} takes ${argumentCounts(name)} arguments, not ${given.length}`);
    return { kind: "call", name, given };
  }

  #pattern(): string {
    if (this.#token.kind !== "text") throw this.#unexpected("a pattern in quotes");
    return this.#take().text;
  }

  #set(): CesqlTree[] {
    if (!this.#takeOne(["("])) throw this.#unexpected("a list in brackets");
    return this.#list();
  }

  /** The rest of a list, after its opening bracket. */
  #list(): CesqlTree[] {
    const items: CesqlTree[] = [];
    do items.push(this.#nested(() => this.#expression()));
    while (this.#takeOne([","]));
    return this.#closed(items);
  }

  #closed<Inside>(inside: Inside): Inside {
    if (!this.#takeOne([")"])) throw this.#unexpected(")");
    return inside;
  }

  #nested<Inside>(parse: () => Inside): Inside {
    if (++this.#depth > maxDepth) throw new CesqlFault(this.#token.at, `it is nested deeper than ${maxDepth} levels`);
    const inside = parse();
    this.#depth--;
    return inside;
  }

  get #token(): CesqlToken {
    return this.#tokens[this.#next]!;
  }

  #take(): CesqlToken {
    return this.#tokens[this.#next++]!;
  }

  #takeOne<Text extends string>(texts: readonly Text[]): Text | undefined {
    const { kind, text } = this.#token;
    const found = kind === "word" || kind === "symbol" ? texts.find((one) => one === text.toUpperCase()) : undefined;
    if (found !== undefined) this.#next++;
    return found;
  }

  #isWord(text: string): boolean {
    return this.#token.kind === "word" && this.#token.text.toUpperCase() === text;
  }

  #unexpected(wanted: string): CesqlFault {
    const { kind, text, at } = this.#token;
    const found = kind === "end" ? "the expression ends" : `${JSON.stringify(text.slice(0, 30))} was found`;
    return new CesqlFault(at, `${found} where ${wanted} should be`);
  }
}

function notFirst(operator: string): string {
  return `NOT is applied before ${operator}, so it would negate only the left side; write NOT (… ${operator} …) or … NOT ${operator} …`;
}
