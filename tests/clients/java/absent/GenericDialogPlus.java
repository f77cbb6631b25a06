package fiji.util.gui;

/** In place of Fiji's own, whose jar no registry that is asked has: the class that CLIJ2's dialogs, none of which is opened, are of. */
public class GenericDialogPlus extends ij.gui.GenericDialog {
    public GenericDialogPlus(String title) {
        super(title);
    }
}
