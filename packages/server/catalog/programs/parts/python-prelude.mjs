/**
 * For Python 2 and 3, as `python -u -c PRELUDE MARK SCRIPT ARGUMENTS…`: runs the script as if it had been started itself, with what
 * it writes to standard error in frames (one-pipe.mjs).
 */
export const pythonPrelude = `
def _run():
    import io, os, sys
    is_old = sys.version_info[0] < 3
    mark, path = b'\\x01' + sys.argv[1].encode('ascii') + b':', sys.argv[2]
    pipe = os.dup(1)
    if is_old:
        import fcntl
        fcntl.fcntl(pipe, fcntl.F_SETFD, fcntl.FD_CLOEXEC)

    class Framed(io.RawIOBase):
        name, mode = '<stderr>', 'wb'

        def writable(self):
            return True

        def fileno(self):
            return 2

        def write(self, data):
            data = bytes(data)
            for at in range(0, len(data), 16384):
                part = data[at:at + 16384]
                try:
                    os.write(pipe, mark + ('%06x' % len(part)).encode('ascii') + part)
                except OSError:
                    os.write(2, part)
            return len(data)

    raw = Framed()

    class OldText(object):
        encoding, softspace = None, 0

        def write(self, text):
            raw.write(text if isinstance(text, bytes) else text.encode('utf-8'))

        def writelines(self, lines):
            for line in lines:
                self.write(line)

        def flush(self):
            pass

        def fileno(self):
            return 2

        def isatty(self):
            return False

    def excepthook(kind, value, trace):
        while trace and trace.tb_frame.f_code.co_filename == '<string>':
            trace = trace.tb_next
        try:
            value.__traceback__ = trace
        except AttributeError:
            pass
        sys.__excepthook__(kind, value, trace)

    if is_old:
        sys.stderr = OldText()
    else:
        sys.stderr = io.TextIOWrapper(raw, encoding=sys.stderr.encoding, errors='backslashreplace', write_through=True)
    sys.excepthook = excepthook
    sys.argv = sys.argv[2:]
    sys.path[0] = os.path.dirname(os.path.abspath(path))
    globals()['__file__'] = path
    del globals()['_run']
    with open(path, 'rb') as file:
        return compile(file.read(), path, 'exec', 0, 1)

exec(_run())
`;
